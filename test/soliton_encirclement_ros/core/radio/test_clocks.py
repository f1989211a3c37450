"""Wrong clocks of the members, and the ages that they lead to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.parameters.radio_parameters import RadioParameters
from soliton_encirclement_ros.core.radio.clocks import clock_errors_ns, judged_ns
from soliton_encirclement_ros.core.radio.medium import Medium
from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.core.states.swarm_topics import uav

MEMBERS = (*map(uav, range(1, 401)), 'target')
TIME = st.integers(0, 10**12)
ERROR = st.integers(-(10**11), 10**11)
HERE = {name: (0.0, 0.0, 0.0) for name in ('uav_1', 'uav_2', 'target')}


def test_errors_are_normal_and_those_of_a_member_depend_on_its_name_and_the_seed():
    found = clock_errors_ns(0.2, 3, MEMBERS)
    seconds = np.array([*found.values()]) / 1e9
    assert seconds.std() == pytest.approx(0.2, abs=0.02)
    assert seconds.mean() == pytest.approx(0.0, abs=0.03)
    assert clock_errors_ns(0.2, 3, ['uav_7']) == {'uav_7': found['uav_7']}
    assert clock_errors_ns(0.2, 4, ['uav_7']) != {'uav_7': found['uav_7']}
    assert clock_errors_ns(0.1, 3, ['uav_7'])['uav_7'] == pytest.approx(found['uav_7'] / 2, abs=1)


def test_without_deviation_all_clocks_agree():
    assert set(clock_errors_ns(0.0, 3, MEMBERS).values()) == {0}


@given(TIME, ERROR, ERROR)
def test_no_message_comes_from_the_future(travelled, sender, receiver):
    judged = judged_ns(travelled, sender, receiver)
    assert judged >= 0
    assert judged in (0, travelled + receiver - sender)
    assert judged_ns(travelled, sender, sender) == travelled


def test_a_receiver_judges_by_its_clock_and_never_below_the_age_of_what_was_sent():
    radio = RadioParameters(clock_offset=0.3)
    medium, ends = Medium(radio, 7, [*HERE]), clock_errors_ns(0.3, 7, [*HERE])
    assert not medium.is_reception_uniform(0.0, [*HERE.values()])
    state = AgentState(1, 1, (1.0, 2.0, 3.0), (0.0, 0.0, 0.0), age=0.02)
    medium.carry('uav_1', state, 1, 0, 0.0, HERE)
    came = medium.arrive(50_000_000)
    ages = {name: came[name][0].state.age for name in ('uav_2', 'target')}
    for name, age in ages.items():
        travelled = 0.05 + (ends[name] - ends['uav_1']) / 1e9
        assert age == pytest.approx(0.02 + max(0.0, travelled), abs=1e-9)
    assert min(ages.values()) == 0.02 < max(ages.values())


def test_receivers_with_the_same_age_share_a_message():
    medium = Medium(RadioParameters(communication_delay=0.01), 5, [*HERE])
    medium.carry('uav_1', AgentState(1, 1, (1.0, 2.0, 3.0), (0.0,) * 3), 1, 0, 0.0, HERE)
    came = medium.arrive(50_000_000)
    assert came['uav_2'][0] is came['target'][0]
