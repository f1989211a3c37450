"""Agents that learn, or are commanded step by step: environments of Gymnasium and PettingZoo."""

from collections.abc import Iterator
from contextlib import contextmanager

from soliton_encirclement_ros.core.errors import RunError


@contextmanager
def of_extra() -> Iterator[None]:
    """Say how a library is installed that is missing here.

    Raises:
        RunError: It is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise RunError(
            f'{error.name} is not installed: pip install "soliton_encirclement_ros[rl]"'
        ) from None
