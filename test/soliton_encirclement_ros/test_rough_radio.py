"""Whole swarms on a rough radio, without ROS: what one change does and does not touch."""

from typing import Any

import pytest

from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AgentState
from support.plain_loop import SwarmLoop

SECONDS = 12.0


def loop(**sections: dict[str, Any]) -> SwarmLoop:
    """Return the loop of a scenario of five agents, in which nobody fails by chance."""
    calm = {
        'run': {'num_agents': 5, 'sim_duration': SECONDS, 'seed': 7},
        'failure': {'failure_enable': False},
    }
    return SwarmLoop(Scenario().with_changes(calm, 'x').with_changes(sections, 'x'))


def links(flight: SwarmLoop) -> dict[tuple[str, int], list[tuple[int, int]]]:
    """Fly; return when (in ticks) each listener heard which message of each agent."""
    found: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for tick in range(flight.scenario.ticks):
        for name in flight.world.members:
            for state in flight.world.received(name):
                if isinstance(state, AgentState):
                    found.setdefault((name, state.agent_id), []).append((tick, state.seq))
        flight.tick()
    return found


def down(flight: SwarmLoop) -> dict[int, list[float]]:
    """Fly; return the times [s] at which agents are down."""
    found: dict[int, list[float]] = {}

    def see(row: Any) -> None:
        if row.failed:
            found.setdefault(row.agent_id, []).append(row.time)

    flight.on_row = see
    flight.fly()
    return found


ROUGH = {'communication_failure_rate': 0.3, 'communication_jitter': 0.1}


def test_an_outage_of_one_agent_shifts_no_link() -> None:
    """Neither the links of the others nor, once it is back, its own."""
    free = links(loop(radio=ROUGH))
    out = links(loop(radio=ROUGH, failure={'failure_schedule': '3..6: 4'}))
    for (listener, sender), heard in free.items():
        if sender != 4:
            assert out[listener, sender] == heard
        later = [[tick for tick, _ in each if tick > 125]
                 for each in (heard, out[listener, sender])]  # fmt: skip
        assert later[0] == later[1]


def test_late_joiners_take_their_place_in_the_ring() -> None:
    flight = loop(failure={'failure_schedule': '0..4: 4 5'}, run={'sim_duration': 60.0})
    samples = []
    flight.on_sample = samples.append
    times = down(flight)
    assert {k: (min(v), max(v)) for k, v in times.items()} == {4: (0.05, 3.95), 5: (0.05, 3.95)}
    assert {s.alive for s in samples if 0.1 < s.time < 4.0} == {3}
    assert {s.alive for s in samples if s.time >= 4.0} == {5}
    assert max(sample.metrics.E_r for sample in samples[-100:]) < 0.3


def test_who_comes_back_hears_before_it_acts() -> None:
    """It knows its neighbours at its first tick; deaf it would not have any."""
    flight = loop(failure={'failure_schedule': '0..4: 4'})
    rows: list[Any] = []
    flight.on_row = rows.append
    flight.fly()
    first = next(row for row in rows if row.agent_id == 4 and not row.failed)
    assert first.time == 4.0
    assert first.pred != NOBODY and first.succ != NOBODY


def test_a_partition_splits_the_ring_and_heals() -> None:
    flight = loop(radio={'partitions': '4..8: 1 2 target | 3'})
    heard = links(flight)
    for (listener, sender), messages in heard.items():
        if listener in ('uav_1', 'uav_2', 'target') and sender == 3:
            ticks = [tick for tick, _ in messages]
            assert not [tick for tick in ticks if 80 < tick + 1 <= 160]
            assert ticks[-1] == flight.scenario.ticks - 1


@pytest.mark.parametrize('kind', ['frozen', 'nan'])
def test_the_truth_about_a_liar_is_in_the_record(kind: str) -> None:
    """What it says of itself, before the medium, is where its body is."""
    flight = loop(radio={'byzantine': f'1..: 2 {kind}'})
    for _ in range(flight.scenario.ticks):
        position = flight.world.pose('uav_2').position
        flight.tick()
        assert flight.sent['uav_2'].position == position
    told = [s for s in flight.world.received('uav_1') if getattr(s, 'agent_id', 0) == 2]
    assert (told == []) is (kind == 'nan')
    assert all(state.position != position for state in told)
