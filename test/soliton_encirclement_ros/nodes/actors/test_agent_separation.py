"""The separation filter of a real agent node: over DDS, and changed in flight."""

import pytest
from diagnostic_msgs.msg import KeyValue
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.states.states import AgentState, SilentBody
from support.ros.bodies import adversary, said, values
from support.ros.cockpit import Cockpit
from support.ros.graph import set_parameters
from support.ros.told import Told
from velocity_mobility_ros.ros_io.endpoints import STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

AGENT, STATUS = '/uav_1/agent', 'uav_1/agent: control'
PLACE = (30.0, 0.0, 0.0)
"""Ten metres outside the ring, on which it wants to fly: westwards at full speed."""

WAY = (26.9, 0.0, 0.0)
"""Little more than a distance ahead of it."""

FAST, HELD_BACK = -9.9, -5.0
"""Command without a filter [m/s], and what one with it does not exceed. The vehicle does not move
here, so every other command may be fast; the others depend on the age of its pose, about -4."""

STILL = (0.0, 0.0, 0.0)


def flies(cockpit, slower: bool) -> bool:
    """Return whether the last command is held back, or is as fast as the law wants."""
    if not cockpit.commands:
        return False
    vx = cockpit.commands.last.linear.x
    return vx > HELD_BACK if slower else vx < FAST


@pytest.mark.parametrize('filtered', [True, False])
def test_it_does_not_fly_into_a_neighbour_unless_the_filter_is_off_and_says_so(
    ros, capfd, filtered
):
    cockpit = Cockpit(
        ros, controller='soliton', separation_filter=filtered, neighbour_hold_time=0.0
    )
    cockpit.until(lambda: cockpit.node.actor.neighbours(cockpit.node.actor.now), 'a neighbour',
                  place=PLACE, neighbours=(WAY,))  # fmt: skip
    cockpit.until(lambda: len(cockpit.commands) > 20, 'commands', place=PLACE, neighbours=(WAY,))
    vx = cockpit.commands.last.linear.x
    assert vx > -4.0 if filtered else vx < -6.0
    assert ('NOTHING keeps the vehicles apart' in capfd.readouterr().err) != filtered


def test_a_silent_body_that_others_tell_of_is_kept_clear_of_and_told_on(ros):
    cockpit = Cockpit(ros, controller='soliton')
    cockpit.until(lambda: flies(cockpit, slower=False), 'its way', place=PLACE)
    dead = SilentBody(7, WAY, STILL, 40.0)
    message = AgentState(2, 1, (0.0, 200.0, 0.0), STILL, silent=(dead,))
    cockpit.others.publish(said(ros.now_ns(), message))
    cockpit.until(lambda: flies(cockpit, slower=True), 'a command held back', place=PLACE)
    told = [values(message) for message in cockpit.own_states()][-1]
    assert (told['uav_1/silent/uav_7/x'], told['uav_1/silent/uav_7/y']) == WAY[:2]
    assert 40.0 < told['uav_1/silent/uav_7/age'] < 60.0


@pytest.mark.parametrize('distance', [2.0, 0.0])
def test_the_adversary_is_heard_unless_its_distance_is_0(ros, distance):
    cockpit = Cockpit(ros, controller='soliton', adversary_distance=distance)
    voice = ros.voice(JointState, '/swarm/adversary_state', STATE, 1 if distance else 0)

    def goes_on() -> bool:
        voice.publish(said(ros.now_ns(), adversary(cockpit.seq, WAY)))
        return len(cockpit.commands) > 30 and flies(cockpit, slower=distance > 0.0)

    cockpit.until(goes_on, 'a command that minds the adversary or not', place=PLACE)


def test_distances_and_the_fence_change_in_flight(ros):
    told = Told(ros)
    cockpit = Cockpit(ros, controller='soliton')
    cockpit.until(lambda: flies(cockpit, slower=False), 'its way', place=PLACE)
    around = '28.5 -9, 50 -9, 50 9, 28.5 9'
    assert set_parameters(ros, AGENT, fence=around) == ['']
    cockpit.until(lambda: flies(cockpit, slower=True), 'the fence', place=PLACE)
    distance = KeyValue(key='fence_distance_m', value=f'{PLACE[0] - 28.5:.2f}')
    cockpit.until(
        lambda: any(distance in status.values for status in told.statuses(STATUS)), 'its distance',
        place=PLACE,
    )  # fmt: skip
    (why,) = set_parameters(ros, AGENT, fence='1 1, 2')
    assert why.startswith("fence: ring 1: '2' is no corner")
    assert set_parameters(ros, AGENT, fence='') == ['']
    cockpit.until(lambda: flies(cockpit, slower=False), 'its way again', place=PLACE)
    assert set_parameters(ros, AGENT, target_distance=29.5) == ['']
    cockpit.until(lambda: flies(cockpit, slower=True), 'the target', place=PLACE)
