"""Orders from Python, in a process beside played bridges and real agents."""

import sys

import pytest

from soliton_encirclement_ros import (
    NotReadyError, OrderError, RunError, engage, hold, release, stop, takeoff
)
from support.cli import Process
from support.fly.field import Field
from support.pages import blocks

pytestmark = [pytest.mark.ros]

ALL = ('uav_1', 'uav_2', 'uav_3')

TOLD = """
from soliton_encirclement_ros import *
try:
    print('done', {call})
except OrderError as error:
    print(type(error).__name__, error.reasons, error)
"""


@pytest.fixture
def field(ros, tmp_path):
    """Return three vehicles on the ground."""
    return Field(ros, tmp_path)


def told(field, code):
    """Run Python beside the field; return what it prints."""
    name = f'python{len(list(field.folder.glob("*.out")))}'
    command = (sys.executable, '-c', code)
    with Process(command, field.ros.domain, field.folder, name) as process:
        field.ros.until(lambda: process.popen.poll() is not None, 'the end of the order')
    assert process.popen.returncode == 0, process.err
    return process.out


def page_block():
    """Return the block of the page that gives orders."""
    texts = [block.text for block in blocks('docs/how_to/python.md', 'python')]
    (orders,) = [text for text in texts if 'takeoff(' in text]
    return orders


def ordered(field, *calls):
    """Give orders; return what becomes of each."""
    return [told(field, TOLD.format(call=call)).strip() for call in calls]


def test_the_page_takes_off_engages_and_lands(field):
    field.add_agents()
    assert told(field, page_block()) == "['uav_1', 'uav_2', 'uav_3']\n"
    assert field.called == {name: ['arm_takeoff', 'go', 'engage', 'land'] for name in ALL}
    assert 'release everybody' in field.stops


def test_the_page_tells_why_the_gate_has_kept_a_vehicle(field):
    field['uav_2'].values.update(ready='false', waits_for='eph = 3.0 m, at most 1.5 m')
    assert told(field, page_block()) == "uav_2 ['eph = 3.0 m, at most 1.5 m']\n"
    assert field.called == {name: [] for name in ALL}


def test_orders_without_a_gate_name_who_obeys(field):
    field.in_the_air('TRACK')
    assert ordered(field, "hold('uav_3')", 'rtl(agents=3)') == [
        "done ['uav_3']", f'done {[*ALL]}',
    ]  # fmt: skip
    assert field.called == {'uav_1': ['rtl'], 'uav_2': ['rtl'], 'uav_3': ['hold', 'rtl']}


def test_who_refuses_is_named_with_his_reason(field):
    field.in_the_air()
    field['uav_2'].refuses['land'] = 'no'
    (line,) = ordered(field, 'land(agents=3)')
    assert line.startswith("OrderError {'uav_2': ['refused: no']} uav_2 not confirmed: refused")


def test_a_gate_in_the_air_changes_nothing(field):
    field.in_the_air()
    (line,) = ordered(field, 'engage(agents=3)')
    assert line.startswith("NotReadyError {'uav_1': ['no velocity command for")
    assert 'not engaged, nothing was changed: 3 of 3 vehicles not ready' in line
    assert field.called == {name: [] for name in ALL} and field.stops == []


def test_agents_stop_and_are_released(field):
    field.add_agents()
    first, second, third = ordered(field, 'stop()', "release('uav_2')", "stop('uav_9')")
    assert first.startswith('done [') and 'uav_3' in first
    assert second.startswith("OrderError {'uav_2': ['stopped")
    assert third.startswith("OrderError {'uav_9': ['not found']}")


def test_a_node_of_the_user_goes_on(field):
    code = '\n'.join([
        'import rclpy', 'from soliton_encirclement_ros import hold', 'rclpy.init()',
        'node = rclpy.create_node("mine")', 'print(hold(agents=3))',
        'print(hold("uav_1"), rclpy.ok(), node.get_name())',
    ])  # fmt: skip
    field.in_the_air('TRACK')
    assert told(field, code) == f"{[*ALL]}\n['uav_1'] True mine\n"


@pytest.mark.parametrize(
    ('call', 'line'),
    [
        (lambda: takeoff('UAV 1'), "VEHICLE = 'UAV 1' must be a name such as uav_3"),
        (lambda: hold(agents=2, scenario='demo'), 'both say who there is'),
        (lambda: engage('uav_3', agents=2), 'uav_3 is none of the vehicles of --agents 2'),
        (lambda: stop('uav 3'), "MEMBER = 'uav 3' must be a name such as uav_3 or target"),
        (lambda: release(scenario='nothing'), 'nothing: no such scenario file'),
        (lambda: takeoff(places='nowhere.yaml'), 'nowhere.yaml: cannot read the places'),
    ],
)
def test_what_cannot_be_is_refused_in_the_words_of_the_command(call, line):
    with pytest.raises(Exception, match=line) as caught:
        call()
    assert not isinstance(caught.value, OrderError)


def test_the_errors_are_a_family():
    assert issubclass(NotReadyError, OrderError) and issubclass(OrderError, RunError)
