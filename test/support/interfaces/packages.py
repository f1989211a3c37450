"""Which message packages are built for which distribution of ROS 2."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from support.interfaces.px4_package import px4_files

DEFINITIONS = Path(__file__).resolve().parents[2] / 'interfaces'
"""Files of the packages that have no releases, a folder each."""

PX4_RELEASES = {
    'jazzy': ('1.17', '1.14', '1.15', '1.16', '1.18'),
    'kilted': ('1.17',),
}
"""Releases of px4_msgs by distribution, the one that most tests use first."""

COMMON = 'std_msgs', 'geometry_msgs', 'builtin_interfaces'
SERVICES = ('service_msgs', 'builtin_interfaces')


class Package(NamedTuple):
    """A package to build.

    Attributes:
        name: Of the package.
        release: For packages of which several are built, else empty.
        files: Text by path, such as ``msg/VehicleStatus.msg``.
        dependencies: Packages that have the types of its fields, those of the environment.
        siblings: The same, of those that are built here.
    """

    name: str
    release: str
    files: dict[str, str]
    dependencies: tuple[str, ...]
    siblings: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """Name of the folder that it is built into."""
        return f'{self.name}-{self.release}' if self.release else self.name


def read(name: str) -> dict[str, str]:
    """Return the text of a package's files by their path in it."""
    folder = DEFINITIONS / name
    found = sorted([*folder.glob('msg/*.msg'), *folder.glob('srv/*.srv')])
    return {path.relative_to(folder).as_posix(): path.read_text('utf-8') for path in found}


def packages(distribution: str) -> Iterator[Package]:
    """Iterate over the packages of a distribution; a sibling comes before who needs it."""
    for release in PX4_RELEASES[distribution]:
        yield Package('px4_msgs', release, px4_files(release), SERVICES)
    yield Package('geographic_msgs', '', read('geographic_msgs'), COMMON)
    yield Package('ardupilot_msgs', '', read('ardupilot_msgs'), (*COMMON, 'service_msgs'))
    yield Package(
        'mavros_msgs', '', read('mavros_msgs'), (*COMMON, 'service_msgs'), ('geographic_msgs',)
    )
