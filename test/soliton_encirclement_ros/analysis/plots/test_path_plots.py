"""Pictures of where bodies flew: without a target, and of heights where they differ."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image
from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.plots.path_plots import HEIGHTS, draw_paths
from soliton_encirclement_ros.analysis.plots.run_plots import OVERVIEW
from soliton_encirclement_ros.analysis.recording import Recording
from support.recorded.recordings import body, recording_with

TIME = np.arange(0.0, 20.0, 0.1)


def flown(*heights: float, last: float = 20.0) -> Recording:
    """Return drones at heights, and a car; the last one is heard until ``last`` [s]."""
    drones = [
        body(f'dr$one_{k}', TIME if k < len(heights) else TIME[last > TIME], (5.0 * k, 0.0, z))
        for k, z in enumerate(heights, 1)
    ]
    return recording_with(*drones, body('car', TIME, (0.0, 9.0, 0.0)))


def draw(folder: Path, recording: Recording, target: str | None = None) -> list[str]:
    findings = find(recording, default_settings(recording, target))
    paths = list(draw_paths(folder, recording, findings))
    for path in paths:
        with Image.open(path) as image:
            image.load()
            assert min(image.size) >= 400
    return [path.name for path in paths]


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that are written into pictures."""
    found: list[str] = []
    write = Figure.savefig

    def saved(figure: Figure, *args: object, **how: object) -> None:
        parts = [axes for one in (figure, *figure.subfigs) for axes in one.axes]
        found.extend(text.get_text() for axes in parts for text in axes.texts)
        found.extend(axes.get_ylabel() for axes in parts)
        write(figure, *args, **how)

    monkeypatch.setattr(Figure, 'savefig', saved)
    return found


def test_without_a_target_there_is_an_overview_with_the_names(
    tmp_path: Path, texts: list[str]
) -> None:
    assert draw(tmp_path, flown(0.1, 0.2, last=5.0)) == [OVERVIEW]
    assert {r'dr\$one_1', r'dr\$one_2 (down)', 'car'} <= set(texts)
    assert {'north [m]', 'speed [m/s]', 'height [m]', 'agents received'} <= set(texts)


def test_heights_that_differ_are_a_picture_with_the_target(
    tmp_path: Path, texts: list[str]
) -> None:
    recording = flown(10.0, 11.0)
    assert draw(tmp_path, recording, 'car') == [HEIGHTS]
    assert texts.count('car') == 2 and texts.count('height [m]') == 3
    assert draw(tmp_path, recording) == [OVERVIEW, HEIGHTS]


def test_a_climb_is_one_too_and_a_plane_is_none(tmp_path: Path) -> None:
    climb = np.column_stack([TIME, 0.0 * TIME, 0.2 * TIME])
    assert draw(tmp_path, recording_with(body('one', TIME, climb))) == [OVERVIEW, HEIGHTS]
    assert draw(tmp_path, flown(0.3, 0.2), 'car') == []
    assert draw(tmp_path, recording_with()) == []
