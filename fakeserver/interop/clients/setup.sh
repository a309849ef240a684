#!/usr/bin/env bash
# Installs the clients, pinned, into the folder CACHE: what Debian lacks of them with apt, as root or with sudo; Python's with
# pip, JavaScript's with npm, Java's with Maven. Usage: setup.sh CACHE. A cache that is whole and up to date is left as it is.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=$1
jdbc=5fbc0a70fe4d1d563d431a41b23f493d68807571f0bb49db0bb1737e83e9161f

fail() {
  echo "setup.sh: $*" >&2
  exit 1
}
need() { command -v "$1" >/dev/null 2>&1; }
root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
library() { ldconfig -p | grep -q "$1"; }

packages=()
need tsql && need bsqldb || packages+=(freetds-bin)
need tshark || packages+=(tshark)
need openssl || packages+=(openssl)
need java && need mvn || packages+=(openjdk-17-jdk-headless maven)
compgen -G '/usr/lib/*/odbc/libtdsodbc.so' >/dev/null || packages+=(tdsodbc)
library libltdl.so.7 || packages+=(libltdl7) # Microsoft's ODBC driver wants it, and Kerberos
library libgssapi_krb5.so.2 || packages+=(libgssapi-krb5-2)
if [ ${#packages[@]} -gt 0 ]; then
  root apt-get update -qq >&2
  root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >&2
fi
need node || fail "node is missing: Node.js 20 or newer runs tedious and mssql"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || fail "node is older than 20"
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || fail "$python is older than Python 3.10"

wanted=$(cat "$here"/{requirements.txt,package-lock.json,pom.xml,setup.sh} | sha256sum | cut -d ' ' -f 1)
[[ -f $cache/stamp && $(<"$cache/stamp") == "$wanted" ]] && exit 0
mkdir -p "$cache"
rm -rf "${cache:?}"/{stamp,python,node,java}
mkdir -p "$cache"/{node,java}
echo '*' >"$cache/.gitignore"
"$python" -m venv "$cache/python"
"$cache/python/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" >&2
cp "$here"/package{,-lock}.json "$cache/node/"
npm ci --prefix "$cache/node" --no-audit --no-fund --silent >&2
cp "$here/pom.xml" "$cache/java/" # so that Maven writes nothing into the project
mvn -q -B -f "$cache/java/pom.xml" dependency:copy-dependencies -DexcludeTransitive=true -DoutputDirectory="$cache/java" >&2
echo "$jdbc  $(echo "$cache"/java/mssql-jdbc-*.jar)" | sha256sum --quiet -c - >&2
echo "$wanted" >"$cache/stamp"
