#!/usr/bin/env bash
# Makes a virtual environment with ROS 2, the pinned requirements and this package in edit mode.
#
#     PYTHON=<interpreter, optional> LIBRARIES=<noble, optional> \
#         requirements/install.sh DISTRO FOLDER [tests|docs]
#
# `tests` adds what the tests need, `docs` what builds the site. LIBRARIES=noble takes the old libraries of Ubuntu 24.04.
# Costs nothing when FOLDER is up to date. A set-up that was interrupted has no stamp and is redone.
set -euo pipefail
cd "$(dirname "$0")/.."
distro=$1 venv=$2 tests= docs=
case ${3:-} in tests) tests=yes ;; docs) docs=yes ;; esac
libraries=${LIBRARIES:-}
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
    local candidate without_venv= known='python3 python3.13 python3.12 python3.11 python3.10'
    local fits='^3\.1[0-3]$' range='3.10 to 3.13'
    if [ -n "$libraries" ]; then fits='^3\.1[01]$' range='3.10 or 3.11'; fi
    for candidate in ${PYTHON:-$known}; do
        read -r version python < <(identify "$candidate") || continue
        [[ $version =~ $fits ]] || continue
        "$python" -c 'import ensurepip, venv' 2>/dev/null && return
        without_venv=${without_venv:-$version}
    done
    [ -z "$without_venv" ] || die "Python $without_venv has no venv module; run: sudo apt install python$without_venv-venv"
    [ -z "${PYTHON:-}" ] || die "PYTHON=$PYTHON is not a Python $range"
    die "no Python $range found; run: sudo apt install python3 python3-venv (or set PYTHON=<interpreter>)"
}

hash_of() { sha256sum | cut -d' ' -f1; }

up_to_date() { [ "$(cat "$venv/$1.stamp" 2>/dev/null)" = "$2" ]; }

# pip_install TITLE ARGUMENTS: one line when it works, one line when it fails.
pip_install() {
    local log=$venv/pip.log
    echo "  $1"
    "$venv/bin/python" -m pip install --quiet --no-input --no-compile --disable-pip-version-check --retries 2 \
        --no-deps "${@:2}" >"$log" 2>&1 && return
    if grep -qiE 'connection|timed out|name resolution|proxyerror|unreachable' "$log"; then
        die "$1: no connection to the package index; check network and proxy, then run the same again (log: $log)"
    fi
    die "$1: $(grep -m1 -E '^ERROR|Error: ' "$log" || echo 'pip failed') (log: $log)"
}

# pinned FILE: prints its requirements, or what Ubuntu 24.04 has in their place.
pinned() {
    if [ -z "$libraries" ]; then
        cat "requirements/$1"
        return
    fi
    [ "$1" != run.txt ] || cat "requirements/$libraries.txt"
    awk -F '[=;]' 'NR == FNR { old[tolower($1)]; next } !(tolower($1) in old)' \
        "requirements/$libraries.txt" "requirements/$1"
}

# install_pinned TITLE FILE [ARGUMENTS]
install_pinned() {
    local list=$venv/$2
    pinned "$2" >"$list"
    pip_install "$1" --only-binary :all: "${@:3}" -r "$list"
    without_their_tests
}

# Python compiles what is imported, once, and not the 200 MB that nobody imports.
compile_what_is_used() {
    env -u PYTHONDONTWRITEBYTECODE "$venv/bin/python" -c "import $(IFS=,; echo "$*")" >"$venv/pip.log" 2>&1 ||
        die "the new environment is broken: $(tail -n 1 "$venv/pip.log") (log: $venv/pip.log)"
}

# The tests of the libraries themselves: nothing imports these. (numpy.testing imports those of numpy.)
without_their_tests() {
    local site=$venv/lib/python$version/site-packages name
    for name in matplotlib numba pandas pyarrow scipy; do
        [ ! -d "$site/$name" ] || find "$site/$name" -type d -name tests -prune -exec rm -rf {} +
    done
}

# What wheels hold twice is there once: they have no links, so the library of Fast DDS comes under three
# names, and those below it with each package that uses them. Nobody here reads plotly's copy for JupyterLab.
without_copies() {
    rm -rf "$venv"/share/jupyter "$venv/lib/python$version/site-packages/plotly/labextension"
    "$venv/bin/python" - "$venv" <<'END'
import hashlib, os, pathlib, shutil, subprocess, sys

# Some wheels carry the names of their C functions, 70 MB, for a debugger; what cannot be loaded without stays.
site = pathlib.Path(sys.argv[1], 'lib', 'python%d.%d' % sys.version_info[:2], 'site-packages')
for name in ('fontTools', 'llvmlite', 'matplotlib', 'numba', 'PIL', 'scipy', 'zstandard') if shutil.which('strip') else ():
    for path in site.joinpath(name).rglob('*.so'):
        bare = path.with_suffix('.bare')
        made = (['strip', '--strip-unneeded', '-o', bare, path], [sys.executable, '-c', f'import ctypes; ctypes.CDLL({str(bare)!r})'])
        if all(subprocess.run(step, capture_output=True).returncode == 0 for step in made):
            bare.replace(path)
        bare.unlink(missing_ok=True)

first = {}
for path in sorted(pathlib.Path(sys.argv[1], 'lib').rglob('*.so*')):
    if path.is_file() and not path.is_symlink():
        same = first.setdefault(hashlib.sha256(path.read_bytes()).digest(), path)
        if same is not path:
            path.unlink()
            os.link(same, path)
END
}

# What C++ is built against; of all that is here the message packages of the tests alone need it.
without_headers() {
    rm -rf "$venv"/include/* "$venv"/share/*/cmake "$venv"/lib/cmake
}

# An edit-mode installation has no data files: link them, as colcon --symlink-install does.
link_data() {
    local share=$venv/share/$package lib=$venv/lib/$package source=$PWD name
    rm -rf "$share" "$lib"
    mkdir -p "$share" "$lib" "$venv/share/ament_index/resource_index/packages"
    ln -sf "$source/resource/$package" "$venv/share/ament_index/resource_index/packages/$package"
    ln -s "$source/package.xml" "$share"
    cp -rs "$source"/{config,launch} "$share" # links of files: ros2 launch looks into no linked folder
    for name in $("$venv/bin/python" -c "
from importlib.metadata import distribution
print(*(script.name for script in distribution('$package').entry_points))"); do
        ln -s "../../bin/$name" "$lib/$name"
    done
}

[ -z "$libraries" ] || [ "$libraries" = noble ] || die "LIBRARIES=$libraries is unknown; known: noble"
[ -f "requirements/ros-$distro.txt" ] || die "DISTRO=$distro is unknown; known: jazzy, kilted"
[ "$(uname -sm)" = 'Linux x86_64' ] ||
    die "ROS 2 from PyPI needs Linux on x86_64, this is $(uname -sm); use an installed ROS 2 and colcon build"
choose_python
exec 9<"requirements/ros-$distro.txt"
flock 9 # two terminals, one set-up; another distribution's goes on beside it

requirements=$({
    echo "$distro $libraries $venv $version $python"
    cat "requirements/ros-$distro.txt" requirements/{build,run,noble}.txt requirements/install.sh
} | hash_of)
if ! up_to_date requirements "$requirements"; then
    echo "Setting up ${venv#"$PWD"/}: Python $version, ROS 2 $distro (once; about 600 MB)"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    pip_install 'pip and setuptools' -r requirements/build.txt
    pip_install "ROS 2 $distro" --only-binary :all: -r "requirements/ros-$distro.txt"
    install_pinned 'libraries' run.txt
    compile_what_is_used {diagnostic,geometry,nav,sensor,visualization}_msgs.msg std_srvs.srv \
        rclpy.{executors,parameter} matplotlib.figure numba.core.event pandas plotly.offline \
        pymap3d rich.{live,progress_bar} rosbags.{highlevel,rosbag2} uvicorn scipy.{optimize,special,stats} \
        transforms3d.euler typer yaml
    without_copies
    [ -n "$tests" ] || without_headers
    echo "$requirements" >"$venv/requirements.stamp"
fi

test_tools=$({ echo "$requirements"; cat requirements/{test,interfaces}.txt; } | hash_of)
if [ -n "$tests" ] && ! up_to_date tests "$test_tools"; then
    # Anew: what an interrupted set-up has left looks installed, and may be half written.
    install_pinned 'test tools (about 410 MB)' test.txt --force-reinstall
    pip_install 'generator of messages' --no-build-isolation -r requirements/interfaces.txt
    compile_what_is_used distributed em foxglove hypothesis playwright.sync_api pyarrow.parquet pymavlink.mavutil pytest pyulog rerun setuptools xdist.plugin
    echo "$test_tools" >"$venv/tests.stamp"
fi

site_tools=$({ echo "$requirements"; cat requirements/docs.txt; } | hash_of)
if [ -n "$docs" ] && ! up_to_date docs "$site_tools"; then
    install_pinned 'what builds the site (about 50 MB)' docs.txt
    echo "$site_tools" >"$venv/docs.stamp"
fi

# Message packages that no index has: generated and compiled, some 30 s of work.
messages=$({
    echo "$test_tools"
    cat test/support/interfaces/*.py test/interfaces/*/*/* velocity_mobility_ros/autopilot/protocols/px4_message_versions.py
} | hash_of)
if [ -n "$tests" ] && ! up_to_date interfaces "$messages"; then
    [ -d "$venv/include/rcutils" ] ||
        pip_install "headers of ROS 2 $distro" --only-binary :all: --force-reinstall -r "requirements/ros-$distro.txt"
    echo '  message packages for the tests'
    AMENT_PREFIX_PATH=$venv PYTHONPATH=$PWD:$PWD/test \
        "$venv/bin/python" -m support.interfaces.build "$distro" "$venv/interfaces" \
        >"$venv/interfaces.log" 2>&1 ||
        die "message packages: $(tail -n 1 "$venv/interfaces.log") (log: $venv/interfaces.log)"
    echo "$messages" >"$venv/interfaces.stamp"
fi

this_package=$(cat setup.py setup.cfg pyproject.toml package.xml velocity_mobility_ros/__init__.py | hash_of)
if ! up_to_date package "$this_package"; then
    exec 8<requirements/install.sh
    flock 8 # each set-up leaves its egg-info here
    pip_install "$package" --no-build-isolation --editable .
    link_data
    echo "$this_package" >"$venv/package.stamp"
fi
