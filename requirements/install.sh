#!/usr/bin/env bash
# Makes a virtual environment with ROS 2, the pinned requirements and this package in edit mode.
#
#     PYTHON=<interpreter, optional> requirements/install.sh DISTRO FOLDER
#
# Costs nothing when FOLDER is up to date. A set-up that was interrupted has no stamp and is redone.
set -euo pipefail
cd "$(dirname "$0")/.."
distro=$1 venv=$2
package=soliton_encirclement_ros

die() {
    echo "error: $*" >&2
    exit 1
}

# Prints '<version> <path>' of an interpreter; of the one below it if an environment is activated.
identify() {
    "$1" -c '
import os, sys
print("%d.%d" % sys.version_info[:2], os.path.realpath(sys._base_executable))' 2>/dev/null
}

# Sets $version and $python.
choose_python() {
    local candidate without_venv=
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11 python3.10}; do
        read -r version python < <(identify "$candidate") || continue
        [[ $version =~ ^3\.1[0-3]$ ]] || continue
        "$python" -c 'import ensurepip, venv' 2>/dev/null && return
        without_venv=${without_venv:-$version}
    done
    [ -z "$without_venv" ] || die "Python $without_venv has no venv module; run: sudo apt install python$without_venv-venv"
    [ -z "${PYTHON:-}" ] || die "PYTHON=$PYTHON is not a Python 3.10 to 3.13"
    die 'no Python 3.10 to 3.13 found; run: sudo apt install python3 python3-venv (or set PYTHON=<interpreter>)'
}

hash_of() { sha256sum | cut -d' ' -f1; }

up_to_date() { [ "$(cat "$venv/$1.stamp" 2>/dev/null)" = "$2" ]; }

# pip_install TITLE ARGUMENTS: one line when it works, one line when it fails.
pip_install() {
    local log=$venv/pip.log
    echo "  $1"
    "$venv/bin/python" -m pip install --quiet --no-input --disable-pip-version-check --retries 2 \
        --no-deps "${@:2}" >"$log" 2>&1 && return
    if grep -qiE 'connection|timed out|name resolution|proxyerror|unreachable' "$log"; then
        die "$1: no connection to the package index; check network and proxy, then run the same again (log: $log)"
    fi
    die "$1: $(grep -m1 -E '^ERROR|Error: ' "$log" || echo 'pip failed') (log: $log)"
}

# An edit-mode installation has no data files: link them, as colcon --symlink-install does.
link_data() {
    local share=$venv/share/$package lib=$venv/lib/$package source=$PWD name
    rm -rf "$share" "$lib"
    mkdir -p "$share" "$lib" "$venv/share/ament_index/resource_index/packages"
    ln -sf "$source/resource/$package" "$venv/share/ament_index/resource_index/packages/$package"
    ln -s "$source"/{package.xml,config,launch} "$share"
    for name in $("$venv/bin/python" -c "
from importlib.metadata import distribution
print(*(script.name for script in distribution('$package').entry_points))"); do
        ln -s "../../bin/$name" "$lib/$name"
    done
}

[ -f "requirements/ros-$distro.txt" ] || die "DISTRO=$distro is unknown; known: kilted, jazzy"
[ "$(uname -sm)" = 'Linux x86_64' ] ||
    die "ROS 2 from PyPI needs Linux on x86_64, this is $(uname -sm); use an installed ROS 2 and colcon build"
choose_python
exec 9<requirements/install.sh
flock 9 # two terminals, one set-up

requirements=$({ echo "$distro $venv $version $python"; cat requirements/*; } | hash_of)
if ! up_to_date requirements "$requirements"; then
    echo "Setting up ${venv#"$PWD"/}: Python $version, ROS 2 $distro (once; about 600 MB)"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    pip_install 'pip and setuptools' -r requirements/build.txt
    pip_install "ROS 2 $distro" --only-binary :all: -r "requirements/ros-$distro.txt"
    pip_install 'libraries' --only-binary :all: -r requirements/run.txt
    pip_install 'test tools' --only-binary :all: -r requirements/test.txt
    echo "$requirements" >"$venv/requirements.stamp"
fi

this_package=$(cat setup.py setup.cfg pyproject.toml package.xml velocity_mobility_ros/__init__.py | hash_of)
if ! up_to_date package "$this_package"; then
    pip_install "$package" --no-build-isolation --editable .
    link_data
    echo "$this_package" >"$venv/package.stamp"
fi
