"""For tests that start processes which fly: the laws are compiled before, once, by this one.

Compiling takes a minute or two; ``NO_HURRY`` keeps that out of the time that a test has.
"""

import pytest
from soliton_encirclement_ros.sim import get_ready

NO_HURRY = pytest.mark.timeout(120, func_only=True)


@pytest.fixture(scope='session', autouse=True)
def laws() -> None:
    """Leave compiled laws in this process, and on disk for others."""
    get_ready()
