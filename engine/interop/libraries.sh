#!/usr/bin/env bash
# Installs what the package's default driver, mssql-python, loads of the system's libraries beside its wheel, where it is
# missing. Usage: libraries.sh PYTHON
set -euo pipefail
missing=()
for library in libltdl.so.7:libltdl7 libgssapi_krb5.so.2:libgssapi-krb5-2 libkrb5.so.3:libkrb5-3; do
  "$1" -c "import ctypes; ctypes.CDLL('${library%%:*}')" 2>/dev/null || missing+=("${library##*:}")
done
if [[ ${#missing[@]} -gt 0 ]]; then
  root() { if [[ $(id -u) -eq 0 ]]; then "$@"; else sudo "$@"; fi; }
  root apt-get update -qq >&2
  root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
fi
