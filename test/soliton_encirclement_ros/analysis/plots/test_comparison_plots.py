"""Pictures of several laws: one file, whatever the number of runs and their lengths."""

from pathlib import Path

import pytest
from PIL import Image
from soliton_encirclement_ros.analysis.plots.comparison_plots import draw_comparison
from soliton_encirclement_ros.analysis.plots.run_plots import SHOWN_METRICS


def series(length: int, level: float) -> dict[str, list[float]]:
    """Return samples of all metrics at one level."""
    return {'time': [0.05 * k for k in range(length)]} | {
        name: [level] * length for name in SHOWN_METRICS
    }


@pytest.mark.parametrize('runs', [
    {'one': [series(50, 0.1)]},
    {'one': [series(50, 0.1), series(40, 0.2)], 'two': [series(30, 0.5), series(30, 0.3)]},
    {f'law {k}': [series(5, 0.1 * k)] for k in range(7)},
], ids=['alone', 'bands', 'many'])  # fmt: skip
def test_a_picture_is_drawn(tmp_path: Path, runs: dict) -> None:
    """Large enough to be read, and not blank."""
    path = tmp_path / 'laws.png'
    draw_comparison(path, 'a scenario', runs)
    with Image.open(path) as image:
        assert min(image.size) >= 600
        darkest, brightest = image.convert('L').getextrema()
        assert darkest < 100 < 250 < brightest
