"""Whose answers an order waits for."""

import pytest
from soliton_encirclement_ros.cli.fly.fleet import by_number, whom
from soliton_encirclement_ros.cli.fly.sighting import UNSEEN
from soliton_encirclement_ros.cli.operator.whom import EVERYBODY, Meant
from support.fly.reports import sighting

PAIR = {name: sighting(fleet='uav_1,uav_2') for name in ('uav_1', 'uav_2')}
ALONE = {'uav_1': sighting(fleet='uav_1')}
TOLD = {'uav_1': sighting(fleet='uav_1,uav_2', fleet_is_stated='true')}
TELLS = {'uav_1': sighting(fleet='uav_1,uav_2')}


@pytest.mark.parametrize(
    ('meant', 'seen', 'agents', 'names', 'is_complete'),
    [
        (Meant(('uav_7',)), PAIR, (), ['uav_7'], True),
        (Meant((), ('uav_1', 'uav_3')), PAIR, (), ['uav_1', 'uav_2', 'uav_3'], True),
        (EVERYBODY, {}, (), [], False),
        (EVERYBODY, ALONE, (), ['uav_1'], False),
        (EVERYBODY, PAIR, (), ['uav_1', 'uav_2'], True),
        (EVERYBODY, PAIR, ('uav_1', 'uav_3'), ['uav_1', 'uav_2'], False),
        (EVERYBODY, TOLD, ('uav_3',), ['uav_1', 'uav_2'], True),
        (EVERYBODY, TELLS, (), ['uav_1', 'uav_2'], False),
        (EVERYBODY, {**TOLD, 'uav_4': UNSEEN}, (), ['uav_1', 'uav_2', 'uav_4'], True),
    ],
)
def test_the_fleet_is_what_operator_or_vehicles_say(meant, seen, agents, names, is_complete):
    assert whom(meant, seen, agents) == (names, is_complete)


def test_uav_10_comes_after_uav_9():
    assert sorted(['uav_10', 'b', 'uav_9'], key=by_number) == ['b', 'uav_9', 'uav_10']
