"""Figures as they are written."""

import pytest
from matplotlib.figure import Figure


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """Return the figures that are written, in their order."""
    found: list[Figure] = []
    write = Figure.savefig

    def saved(figure: Figure, *args: object, **how: object) -> None:
        found.append(figure)
        write(figure, *args, **how)

    monkeypatch.setattr(Figure, 'savefig', saved)
    return found
