"""For tests that start processes which fly: the laws are compiled before, once, by this one.

Compiling takes a minute or two; ``NO_HURRY`` keeps that out of the time that a test has.
"""

import pytest
from soliton_encirclement_ros.sim import get_ready
from soliton_encirclement_ros.sim.compilation.loaded_code import DEFAULT

NO_HURRY = pytest.mark.timeout(120, func_only=True)


@pytest.fixture(scope='session', autouse=True)
def laws() -> None:
    """Leave compiled laws in this process, and on disk for others."""
    get_ready()


@pytest.fixture(scope='session', autouse=True)
def external_laws() -> None:
    """Leave the compiled code of flights in which members are flown elsewhere, too."""
    get_ready([DEFAULT._replace(external=True)])
