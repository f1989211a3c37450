"""Vehicles as a table, as JSON, and as the lines of an order."""

import io
import json

from rich.console import Console

from soliton_encirclement_ros.cli.fly.fleet_state import NOT_HEARD
from soliton_encirclement_ros.cli.fly.fly_order import OrderProgress, OrderStatus
from soliton_encirclement_ros.cli.fly.fly_view import (
    FlyView, as_json, describe, remark_of, status_table
)
from support.fly.reports import HOLDING, snapshot

SEEN = {
    'uav_1': snapshot(ready='false', waits_for='no battery', battery='unknown'),
    'uav_2': snapshot('battery at 20 %: land soon; holds', warnings='battery at 20 %: land soon',
                      **HOLDING)._replace(stopped='stopped by the operator: ann', evades='x',
                                          fence=-1.25),
    'uav_3': NOT_HEARD,
    'uav_4': snapshot(state='DANCE', bridges=2, armed='unknown', x='unknown'),
}


def rows(seen, remarks):
    """Return the cells of the printed table by the name of the vehicle."""
    console = Console(width=300, file=io.StringIO())
    console.print(status_table(seen, remarks))
    lines = console.file.getvalue().splitlines()
    cells = [[cell.strip() for cell in line.split('│')[1:-1]] for line in lines]
    return {row[0]: row[1:] for row in cells if row}


def test_a_row_says_all_that_matters():
    found = rows(SEEN, {})
    assert found['uav_1'] == [
        'ready', 'AUTO_LOITER', 'no', '-', '1.0, 2.0, 0.0', '3.0 uav_2', '-', '0.3',
        'waits for: no battery',
    ]  # fmt: skip
    assert found['uav_2'] == [
        'holds', 'AUTO_LOITER', 'yes', '90 %', '1.0, 2.0, 3.0', '3.0 uav_1', '-1.2', '0.3',
        'agent stopped by the operator: ann; battery at 20 %: land soon',
    ]  # fmt: skip
    assert found['uav_3'][:8] == ['not heard', *'-------']
    assert found['uav_3'][8].startswith('not heard: start its bridge')
    assert found['uav_4'] == [
        'unknown state', 'AUTO_LOITER', '-', '90 %', '-', '-', '-', '0.3',
        '2 bridges report for it; ready',
    ]  # fmt: skip


def test_who_keeps_away_from_others_says_from_whom():
    evading = snapshot('tracks', state='TRACK')._replace(evades='keeps away from uav_2 (40 %)')
    assert remark_of(evading) == 'keeps away from uav_2 (40 %)'


def test_a_remark_of_an_order_comes_first():
    assert rows(SEEN, {'uav_2': 'refused: [no]'})['uav_2'][8] == 'refused: [no]'


def test_a_line_has_state_and_remark():
    assert describe(SEEN['uav_1']) == 'ready: waits for: no battery'
    assert describe(snapshot('holds', **HOLDING)) == 'holds'
    assert describe(NOT_HEARD) == remark_of(NOT_HEARD)


def test_json_has_no_number_that_is_none():
    told = json.loads(json.dumps(as_json(SEEN), allow_nan=False))
    assert (told['uav_1']['battery'], told['uav_1']['state']) == (None, 'READY')
    assert told['uav_2']['position'] == [1.0, 2.0, 3.0]
    assert told['uav_3'] == {
        'silent': remark_of(NOT_HEARD), 'bridges': 0, 'report_age_s': None, 'odometry_age_s': None,
        'odometry_offset_s': None, 'told': None, 'stopped': None, 'evades': None,
        'fence_distance_m': None,
    }  # fmt: skip
    assert (told['uav_1']['fence_distance_m'], told['uav_2']['fence_distance_m']) == (None, -1.25)
    assert (told['uav_4']['state'], told['uav_4']['armed']) == (None, None)


SEEN_HOLDING = {'uav_1': snapshot('holds', **HOLDING)}


def statuses(text):
    """Return how an order stands."""
    return {'uav_1': OrderStatus(OrderProgress.UNDER_WAY, text)}


def test_without_a_terminal_each_change_is_a_line():
    console = Console(file=io.StringIO(), width=200)
    with FlyView(console, lambda: SEEN_HOLDING) as view:
        for text in ('asked', 'asked', 'brakes [x]', 'holds'):
            assert view.show_statuses(statuses(text)) is False
        view.faults({'uav_1': ['no battery', 'no odometry'], 'uav_2': ['no bridge']})
        view.show_snapshots(SEEN_HOLDING)
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
    view = FlyView(console, lambda: SEEN_HOLDING)
    view.show_statuses(statuses('brakes'))
    console.print(view.view())
    assert 'brakes' in console.file.getvalue()
    assert view.line() == 'uav_1: brakes'


def test_the_operator_may_end_it():
    asked = [1]
    view = FlyView(Console(file=io.StringIO()), lambda: SEEN_HOLDING, asked)
    assert view.show_statuses(statuses('asked')) is True
