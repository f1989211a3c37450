"""The sources of a message package become one Python module, which is its libraries as well."""

import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from support.interfaces.packages import Package

ENVIRONMENT = Path(sys.prefix)
HEADERS = Path(sysconfig.get_path('include'))
COMPILER = 'gcc'
OPTIONS = '-shared', '-fPIC', '-O0', '-w'

PARTS = (
    'rosidl_generator_c', 'rosidl_generator_py', 'rosidl_typesupport_c',
    'rosidl_typesupport_fastrtps_c', 'rosidl_typesupport_introspection_c',
)  # fmt: skip
"""Libraries of each message package."""

RUNTIME = (
    'rosidl_runtime_c', 'rosidl_typesupport_c', 'rosidl_typesupport_fastrtps_c',
    'rosidl_typesupport_fastrtps_cpp', 'rosidl_typesupport_introspection_c', 'fastcdr', 'rmw',
    'rcutils', 'stdc++',
)  # fmt: skip

GENERATED = 'c', 'introspection', 'python'

SUFFIX = sysconfig.get_config_var('EXT_SUFFIX')


def trouble() -> str:
    """Return what this machine lacks, and how to get it; empty if it lacks nothing."""
    version = f'{sys.version_info[0]}.{sys.version_info[1]}'
    if not (HEADERS / 'Python.h').exists():
        return f'no Python.h of Python {version}; run: sudo apt install python{version}-dev'
    trial = COMPILER, '-x', 'c++', '-fsyntax-only', '-'
    try:
        subprocess.run(trial, input=b'#include <map>', check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return 'no compiler for C++; run: sudo apt install g++'
    return ''


def module_name(package: str) -> str:
    """Return the file name of a package's compiled module, as rclpy looks for it."""
    return f'{package}_s__rosidl_typesupport_c{SUFFIX}'


def compile_module(package: Package, sources: Path, others: Path) -> None:
    """Compile generated sources into the module beside their Python files.

    The sources are included in one file of each language, which halves the time, but for the
    descriptions, whose names are not unique.

    Args:
        package: The package.
        sources: Folder with ``c/``, ``introspection/`` and ``python/``.
        others: The folder with the prefixes of its siblings.

    Raises:
        subprocess.CalledProcessError: The compiler failed.
    """
    python = sources / 'python'
    descriptions = sorted(sources.rglob('*__description.c'))
    in_c = set(sources.rglob('*.c')).difference(descriptions)
    in_cpp = list(sources.rglob('*.cpp'))
    files = [_together(in_c, sources / 'all.c'), _together(in_cpp, sources / 'all.cpp')]
    command = [
        COMPILER, *OPTIONS, *_includes(package, sources, others), *map(str, files + descriptions),
        '-o', str(python / package.name / module_name(package.name)),
        *_libraries(package, others),
    ]  # fmt: skip
    subprocess.run(command, check=True)


def _together(files: Iterable[Path], into: Path) -> Path:
    """Write a file that includes others."""
    into.write_text(''.join(f'#include "{file}"\n' for file in sorted(files)), 'utf-8')
    return into


def _includes(package: Package, sources: Path, others: Path) -> list[str]:
    headers = ENVIRONMENT / 'include'
    theirs = [one for one in sorted(headers.iterdir()) if (one / one.name).is_dir()]
    folders = [*(sources / part for part in GENERATED), headers, *theirs]
    folders += [others / name / 'include' for name in package.siblings]
    return [f'-I{folder}' for folder in [*folders, HEADERS, np.get_include()]]


def _libraries(package: Package, others: Path) -> list[str]:
    folder = ENVIRONMENT / 'lib'
    folders = [folder, *(others / name / 'lib' for name in package.siblings)]
    needed = (*package.dependencies, *package.siblings)
    names = [f'{name}__{part}' for name in needed for part in PARTS]
    return [
        *(f'-L{one}' for one in folders), f'-Wl,-rpath-link,{folder}', '-Wl,--as-needed',
        *(f'-l{name}' for name in (*names, *RUNTIME)),
    ]  # fmt: skip
