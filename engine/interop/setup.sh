#!/usr/bin/env bash
# Makes the judges' environment: a Python environment with requirements.txt and
# the Delta jars for Spark. Usage: setup.sh [CACHE]; without an argument the
# cache is $CDCSEED_CACHE, or .cache/interop in the project. A cache that is
# whole and up to date is left as it is. Prints the environment's python last.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${1:-${CDCSEED_CACHE:-$here/../../.cache/interop}}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
echo '*' >"$cache/.gitignore"

fail() {
  echo "setup.sh: $*" >&2
  exit 1
}

command -v java >/dev/null || fail "java is missing: Spark 4 needs Java 17 or 21"
java -version 2>&1 | grep -Eq 'version "(17|21)' || fail "Spark 4 needs Java 17 or 21, found: $(java -version 2>&1 | head -n 1)"
command -v mvn >/dev/null || fail "mvn is missing: the Delta jars come from Maven Central"
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || fail "$python is older than Python 3.10"

wanted=$(cat "$here/requirements.txt" "$here/pom.xml" "$here/setup.sh" | sha256sum | cut -d ' ' -f 1)
stamp=$cache/stamp
if [[ -f $stamp && $(<"$stamp") == "$wanted" && -x $cache/venv/bin/python ]]; then
  echo "$cache/venv/bin/python"
  exit 0
fi
rm -rf "$stamp" "$cache/venv" "$cache/jars"

"$python" -m venv "$cache/venv" || fail "no virtual environment in $cache/venv"
"$cache/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" >&2 ||
  fail "pip could not install requirements.txt"
# A copy of the pom in the cache keeps Maven from writing into the project.
cp "$here/pom.xml" "$cache/pom.xml"
mvn -q -B -f "$cache/pom.xml" dependency:copy-dependencies \
  -DincludeGroupIds=io.delta,io.unitycatalog -DoutputDirectory="$cache/jars" >&2 ||
  fail "Maven could not fetch the Delta jars"
ls "$cache"/jars/delta-spark_*.jar >/dev/null || fail "Maven fetched no delta-spark jar"

echo "$wanted" >"$stamp"
echo "$cache/venv/bin/python"
