#!/usr/bin/env bash
# Runs the tests of batched vehicles over torch, in an environment of its own.
#
# For Linux on x86_64 the package index has torch for CUDA alone, 4 GB with its libraries. Debian and
# Ubuntu have it for the CPU: python3-torch, 150 MB. It was built for NumPy 1, which noble.txt has.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$PWD/.venv-torch
python=/usr/bin/python3

if ! "$python" -c 'import torch, venv' 2>/dev/null; then
    echo "error: $python has no torch; run: sudo apt install python3-torch python3-venv" >&2
    exit 1
fi
if ! [ -e "$venv/ready" ]; then
    rm -rf "$venv"
    "$python" -m venv --system-site-packages "$venv"
    "$venv/bin/pip" install -q --disable-pip-version-check -c requirements/noble.txt \
        hypothesis numba numpy orjson pytest pytest-timeout PyYAML rich transforms3d typer
    touch "$venv/ready"
fi
PYTHONPATH=$PWD:$PWD/test exec "$venv/bin/python" -m pytest -k torch test/velocity_mobility_ros/vehicles/batched
