"""What the tests of the bridges share."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.autopilot.bridge_process import BridgeProcess
from support.autopilot.sky import Sky


@pytest.fixture(scope='module')
def open_sky(domain: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable]:
    """Return what brings up emulated vehicles with an operator; a module's last test ends them."""
    with ExitStack() as stack:

        def make(vehicles: dict, **given: str | float) -> Sky:
            folder = tmp_path_factory.mktemp('sky')
            return stack.enter_context(Sky(folder, domain, vehicles, **given))

        yield make


@pytest.fixture
def bridge(domain: int, tmp_path: Path) -> Iterator[Callable]:
    """Return what starts a bridge that the test's end ends."""
    with ExitStack() as stack:
        yield lambda number, where=domain, **given: stack.enter_context(
            BridgeProcess(where, tmp_path, number, **given)
        )
