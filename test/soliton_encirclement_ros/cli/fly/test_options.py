"""Which vehicles an order is for, and the bounds of the gate, from the options."""

import math

import pytest

from soliton_encirclement_ros.cli.fly.fly_verbs import gate_settings
from soliton_encirclement_ros.cli.fly.gate import GateSettings
from soliton_encirclement_ros.cli.operator.addressees import parse_addressees
from soliton_encirclement_ros.core.errors import RunError

FIRST = 'first_flight'
ALL = ('uav_1', 'uav_2', 'uav_3')


def test_an_order_is_for_those_named_and_its_answer_waits_for_those_expected():
    assert parse_addressees(['uav_3', 'uav_1', 'uav_3']) == (('uav_3', 'uav_1'), ())
    assert parse_addressees(None, 2) == parse_addressees([], 2) == ((), ALL[:2])
    assert parse_addressees(None, None, FIRST) == ((), ALL)
    assert parse_addressees(['uav_2'], None, FIRST) == (('uav_2',), ALL)
    assert parse_addressees(None) == ((), ())


@pytest.mark.parametrize(
    ('given', 'line'),
    [
        ((['uav_3'], 2), 'uav_3 is none of the vehicles of --agents 2: uav_1, uav_2'),
        ((['uav_4'], None, FIRST), "uav_4 is none of the vehicles of scenario 'first_flight'"),
        ((None, 3, FIRST), 'give one of them'),
        ((['uav 1'],), "VEHICLE = 'uav 1' must be a name such as uav_3"),
    ],
)
def test_what_contradicts_itself_is_refused(given, line):
    with pytest.raises(RunError) as refused:
        parse_addressees(*given)
    assert line in str(refused.value)


def test_the_separation_is_given_or_that_of_the_scenario_or_the_usual_one():
    assert gate_settings(FIRST, 3.0).separation == 3.0
    assert gate_settings(FIRST, None).separation == 4.0
    assert gate_settings(None, None) == GateSettings(2.0, 0.0, math.inf)
