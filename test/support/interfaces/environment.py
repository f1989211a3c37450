"""The environment of a process that uses a message package which was built for the tests."""

import os
import sys
from pathlib import Path

from support.interfaces.prefix import SITE

FOLDER = Path(sys.prefix) / 'interfaces'
"""Where the packages are built."""

PATHS = {'PYTHONPATH': SITE, 'AMENT_PREFIX_PATH': '', 'LD_LIBRARY_PATH': 'lib'}
"""Folder of a prefix by the variable in whose list it belongs."""


def built_releases() -> list[str]:
    """Return the releases of px4_msgs that are built, the oldest first."""
    return sorted(path.name.partition('-')[2] for path in FOLDER.glob('px4_msgs-*'))


def prefix(package: str, release: str = '') -> Path:
    """Return the prefix of a package.

    Raises:
        FileNotFoundError: It is not built.
    """
    found = FOLDER / (f'{package}-{release}' if release else package)
    if not found.is_dir():
        raise FileNotFoundError(f'no {found}: `make setup` builds it')
    return found


def environment_with(
    base: dict[str, str], *packages: str, px4_release: str = ''
) -> dict[str, str]:
    """Return an environment in which packages come first, as after sourcing their workspace.

    Args:
        base: What else is in it.
        packages: Names of packages without releases, with those that they need.
        px4_release: Release of px4_msgs; empty: none.
    """
    prefixes = [prefix(name) for name in packages]
    if px4_release:
        prefixes.append(prefix('px4_msgs', px4_release))
    changed = dict(base)
    for variable, folder in PATHS.items():
        first = [str(one / folder) if folder else str(one) for one in prefixes]
        before = [base[variable]] if base.get(variable) else []
        changed[variable] = os.pathsep.join([*first, *before])
    return changed
