"""Pictures of where bodies flew: without a target, and of heights where they differ."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from PIL import Image
from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.plots.path_plots import HEIGHTS, draw_paths
from soliton_encirclement_ros.analysis.plots.run_plots import GREEN, OVERVIEW
from soliton_encirclement_ros.analysis.recording import Recording
from support.drawn import assert_inside
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


def texts(figures: list[Figure]) -> list[str]:
    """Return the texts that are written into pictures."""
    parts = [axes for one in figures for part in (one, *one.subfigs) for axes in part.axes]
    names = [text.get_text() for axes in parts for text in axes.texts]
    titles = [axes.get_title('left') for axes in parts]
    return [*names, *titles, *(axes.get_ylabel() for axes in parts)]


def test_without_a_target_there_is_an_overview_with_the_names(
    tmp_path: Path, figures: list[Figure]
) -> None:
    assert draw(tmp_path, flown(0.1, 0.2, last=5.0)) == [OVERVIEW]
    found = texts(figures)
    assert {r'dr\$one_1', r'dr\$one_2 (down)', 'car'} <= set(found)
    assert {'north [m]', 'speed [m/s]', 'height [m]', 'agents received'} <= set(found)


def test_heights_that_differ_are_a_picture_with_the_target(
    tmp_path: Path, figures: list[Figure]
) -> None:
    recording = flown(10.0, 11.0)
    assert draw(tmp_path, recording, 'car') == [HEIGHTS]
    found = texts(figures)
    assert found.count('car') == 2 and found.count('height [m]') == 3
    assert {'from the south', 'from the east'} <= set(found)
    assert draw(tmp_path, recording) == [OVERVIEW, HEIGHTS]


def test_a_climb_is_one_too_and_a_plane_is_none(tmp_path: Path) -> None:
    climb = np.column_stack([TIME, 0.0 * TIME, 0.2 * TIME])
    assert draw(tmp_path, recording_with(body('one', TIME, climb))) == [OVERVIEW, HEIGHTS]
    assert draw(tmp_path, flown(0.3, 0.2), 'car') == []
    assert draw(tmp_path, recording_with()) == []


def test_every_body_has_its_own_look_and_a_name_in_the_legend(
    tmp_path: Path, figures: list[Figure]
) -> None:
    recording = flown(*range(20))
    draw(tmp_path, recording, 'car')
    (figure,) = figures
    top, *sides = figure.axes
    looks = [(to_hex(line.get_color()), line.get_linestyle()) for line in top.lines]
    assert len(set(looks)) == len(looks) == 21
    assert [colour for colour, _ in looks].count(GREEN) == 1, 'that of the target'
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        *(rf'dr\$one_{k}' for k in range(1, 21)), 'car'
    ]  # fmt: skip
    for axes in sides:
        assert_inside(axes)


def test_nothing_is_drawn_where_nobody_was_heard_and_climbing_is_speed(
    tmp_path: Path, figures: list[Figure]
) -> None:
    time = np.concatenate([TIME, TIME + 60.0])
    draw(tmp_path, recording_with(body('one', time, (0.0, 0.0, 0.0), (0.3, 0.0, -0.4))))
    speed, _, received = figures[0].subfigs[1].axes
    assert np.nanmax(speed.lines[0].get_ydata()) == pytest.approx(0.5)
    heard, count = (np.asarray(one, float) for one in received.lines[0].get_data())
    assert np.isnan(count[(heard > 19.9) & (heard < 60.0)]).any()
    assert received.lines[0].get_drawstyle() == 'steps-post'
