"""The progress of a fit: silent while it is quick."""

import io

from rich.console import Console
from soliton_encirclement_ros.cli.views import fit_progress, live_display
from soliton_encirclement_ros.cli.views.fit_progress import FitProgress


def shown(monkeypatch, patience):
    monkeypatch.setattr(fit_progress, 'DISPLAY_DELAY', patience)
    monkeypatch.setattr(live_display, 'PLAIN_PERIOD', 0.0)
    out = io.StringIO()
    with FitProgress(Console(file=out, width=80)) as progress:
        for done in range(5):
            progress.note(done, 4)
        assert progress.view() is not None
    return out.getvalue()


def test_a_quick_fit_says_nothing(monkeypatch):
    assert shown(monkeypatch, 60.0) == ''


def test_a_slow_one_says_how_far_it_is(monkeypatch):
    assert shown(monkeypatch, 0.0).splitlines() == [
        f'fitting: {percent} %' for percent in (0, 25, 50, 75, 100)
    ]
