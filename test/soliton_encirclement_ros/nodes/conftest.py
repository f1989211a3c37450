"""What the tests of the nodes share."""

from collections.abc import Iterator

import pytest

from support.ros.graph import Ros, domain
from support.ros.simulated import simulated_ros

__all__ = ['domain']


@pytest.fixture
def simulated() -> None:
    """Ask for simulated time and no middleware: ``pytest.mark.usefixtures('simulated')``."""


@pytest.fixture
def ros(request: pytest.FixtureRequest) -> Iterator[Ros]:
    """Return a fresh ROS context, over real DDS unless the test asks for ``simulated``."""
    if 'simulated' in request.fixturenames:
        yield from simulated_ros()
        return
    up = Ros(request.getfixturevalue('domain'))
    yield up
    up.close()
