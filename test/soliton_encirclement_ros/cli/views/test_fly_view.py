"""The display of an order: a table on a terminal, elsewhere a line per change."""

import io

from rich.console import Console
from soliton_encirclement_ros.cli.fly.standing import Progress, Standing
from soliton_encirclement_ros.cli.views.fly_view import FlyView
from support.fly.reports import HOLDING, sighting

SEEN = {'uav_1': sighting('holds', **HOLDING)}


def standings(text):
    """Return how an order stands."""
    return {'uav_1': Standing(Progress.UNDER_WAY, text)}


def test_without_a_terminal_each_change_is_a_line():
    console = Console(file=io.StringIO(), width=200)
    with FlyView(console, lambda: SEEN) as view:
        for text in ('asked', 'asked', 'brakes [x]', 'holds'):
            assert view.standings(standings(text)) is False
        view.faults({'uav_1': ['no battery', 'no odometry'], 'uav_2': ['no bridge']})
        view.sightings(SEEN)
    assert console.file.getvalue().splitlines() == [
        'uav_1: asked',
        'uav_1: brakes [x]',
        'uav_1: holds',
        'uav_1: no battery; no odometry',
        'uav_2: no bridge',
        'uav_1: holds',
    ]


def test_on_a_terminal_the_table_has_the_texts_as_remarks():
    console = Console(file=io.StringIO(), width=200, force_terminal=True)
    view = FlyView(console, lambda: SEEN)
    view.standings(standings('brakes'))
    console.print(view.view())
    assert 'brakes' in console.file.getvalue()
    assert view.line() == 'uav_1: brakes'


def test_the_operator_may_end_it():
    asked = [1]
    view = FlyView(Console(file=io.StringIO()), lambda: SEEN, asked)
    assert view.standings(standings('asked')) is True
