"""Whether a package that was built is the one that is wanted."""

import hashlib
from pathlib import Path

from support.interfaces.packages import Package

STAMP = 'stamp'
BUILDERS = 'build.py', 'compilation.py', 'generation.py', 'prefix.py', 'reuse.py'
"""Files of this folder that a package is built with."""


def stamp(package: Package) -> str:
    """Return what a package is made of, and with what, as a number."""
    builders = [Path(__file__).with_name(name).read_text('utf-8') for name in BUILDERS]
    return hashlib.sha256(repr((package, builders)).encode()).hexdigest()


def write_stamp(package: Package, prefix: Path) -> None:
    """Note in a prefix what it was made of."""
    (prefix / STAMP).write_text(stamp(package), 'utf-8')


def is_up_to_date(package: Package, folder: Path) -> bool:
    """Return whether a package needs not be built.

    Args:
        package: The package.
        folder: The folder of all prefixes.
    """
    file = folder / package.folder / STAMP
    return file.exists() and file.read_text('utf-8') == stamp(package)
