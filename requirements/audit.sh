#!/usr/bin/env bash
# Asks PyPI for known weaknesses of the pinned libraries (pip-audit, in an environment of its own).
# Ends with 1 if there is one. Where PyPI cannot be asked, a line says that nothing was audited.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"${PYTHON:-python3}" -m venv "$work/venv"
if "$work/venv/bin/pip" install -q --disable-pip-version-check pip-audit >"$work/log" 2>&1; then
    # It ends with 1 for a weakness and for no network: the report tells them apart.
    "$work/venv/bin/pip-audit" -s pypi --progress-spinner off --no-deps --disable-pip -f json -o "$work/report.json" \
        -r requirements/run.txt -r requirements/test.txt -r requirements/docs.txt -r requirements/build.txt >"$work/log" 2>&1 || true
fi
"$work/venv/bin/python" requirements/audit.py "$work/report.json"
