"""Version of the code: a digest of every source of both packages."""

import functools
import hashlib
from pathlib import Path

PACKAGES = ('soliton_encirclement_ros', 'velocity_mobility_ros')


@functools.cache
def code_version() -> str:
    """Return a digest of the sources that this process runs; it changes with every edit."""
    import velocity_mobility_ros

    roots = (Path(__file__).parents[2], Path(velocity_mobility_ros.__file__).parent)
    return digest_of(dict(zip(PACKAGES, roots, strict=True)))


def digest_of(packages: dict[str, Path]) -> str:
    """Return the digest of some packages; it does not depend on their location.

    Args:
        packages: Folder of every package by its name.
    """
    digest = hashlib.sha256()
    for name, root in packages.items():
        for path in sorted(root.rglob('*.py')):
            content = path.read_bytes()
            digest.update(f'{name}/{path.relative_to(root).as_posix()}\0{len(content)}\0'.encode())
            digest.update(content)
    return digest.hexdigest()[:16]
