"""Pictures of runs that were sampled at different rates."""

import numpy as np
from matplotlib.figure import Figure
from soliton_encirclement_ros.analysis.plots.comparison_plots import _draw_law


def run_at(step: float, duration: float = 10.0):
    """Return a run whose metric is its time."""
    time = step * np.arange(1, round(duration / step) + 1)
    return {'time': time.tolist(), 'E_gap': time.tolist()}


def lines_of(series):
    axes = Figure().add_subplot()
    _draw_law(axes, 'law', 'E_gap', series, 'black')
    (line,) = axes.get_lines()
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


def test_runs_of_different_telemetry_rates_are_paired_by_time():
    for series in ([run_at(0.05), run_at(0.5)], [run_at(0.5), run_at(0.05)]):
        time, median = lines_of(series)
        assert np.allclose(median, time)
        assert time[-1] > 9.9


def test_runs_of_one_rate_are_drawn_sample_by_sample():
    time, median = lines_of([run_at(0.05), run_at(0.05, 4.0)])
    assert time.tolist() == run_at(0.05, 4.0)['time'] and np.array_equal(time, median)
