"""A built package as an installation has it: a prefix with modules, libraries, an index."""

import shutil
import sys
from pathlib import Path

from support.interfaces.compilation import PARTS, module_name
from support.interfaces.packages import Package

SITE = f'lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages'
"""Folder of the Python modules in a prefix."""

KINDS = 'msg', 'srv'


def install(package: Package, sources: Path, prefix: Path) -> None:
    """Put what is needed of a package's folder into its prefix.

    Args:
        package: The package.
        sources: Folder with its definitions and sources, and the compiled module in ``python/``.
        prefix: Where it is installed.
    """
    modules = sources / 'python' / package.name
    shutil.copytree(modules, prefix / SITE / package.name, ignore=shutil.ignore_patterns('*.c'))
    code = shutil.ignore_patterns('*.c', '*.cpp')
    for part in ('c', 'introspection'):
        shutil.copytree(sources / part, prefix / 'include', ignore=code, dirs_exist_ok=True)
    share = prefix / 'share' / package.name
    names = []
    for kind in KINDS:
        for file in sorted((sources / kind).glob('*')):
            (share / kind).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, share / kind / file.name)
            names.append(f'{kind}/{file.name}')
        for description in sorted((modules / kind).glob('*.json')):
            shutil.copyfile(description, share / kind / description.name)
    for part in PARTS:
        library = prefix / 'lib' / f'lib{package.name}__{part}.so'
        library.symlink_to(f'../{SITE}/{package.name}/{module_name(package.name)}')
    _index(prefix, package.name, names)


def _index(prefix: Path, name: str, files: list[str]) -> None:
    """Name the package in the index of resources."""
    for resource, text in (('packages', ''), ('rosidl_interfaces', '\n'.join(files))):
        folder = prefix / 'share/ament_index/resource_index' / resource
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, 'utf-8')
