"""The simulated world: bodies, medium and tick."""

import math

import pytest

from soliton_encirclement_ros.core import AgentState
from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from velocity_mobility_ros.core.velocity_model import step

ORIGIN = (0.0, 0.0, 0.0)


def small(**sections: dict) -> World:
    """Return a world of three agents, target and adversary."""
    return World(Scenario().with_changes({'run': {'num_agents': 3}, **sections}, 'x'))


def said(agent_id: int, seq: int = 0, age: float = 0.0) -> AgentState:
    """Return an agent's state."""
    return AgentState(agent_id, seq, ORIGIN, ORIGIN, age=age)


def test_members_have_a_fixed_order() -> None:
    """Agents, target, adversary."""
    assert small().members == ('uav_1', 'uav_2', 'uav_3', 'target', 'adversary')
    quiet = small(adversary={'adversary_enable': False})
    assert quiet.members == ('uav_1', 'uav_2', 'uav_3', 'target')


@pytest.mark.parametrize('order', [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_order_of_answers_does_not_matter(order: tuple[int, ...]) -> None:
    """What is heard stands in the order of members."""
    world = small()
    for k in order:
        world.send(f'uav_{k}', said(k))
    world.advance()
    assert world.received('target') == [said(k, age=0.05) for k in (1, 2, 3)]


def test_the_last_word_of_a_tick_counts() -> None:
    """A member says one thing per tick."""
    world = small()
    world.send('uav_1', said(1, 1))
    world.send('uav_1', said(1, 2))
    world.advance()
    assert world.received('uav_2') == [said(1, 2, 0.05)]


@pytest.mark.parametrize('period', [0.01, 0.05, 0.1])
def test_time_is_a_count(period: float) -> None:
    """After many ticks the time is the exact multiple."""
    world = small(swarm={'control_period': period})
    for _ in range(300):
        world.advance()
    assert world.tick == 300
    assert world.time_ns == 300 * round(period * 1e9)


def test_bodies_move_by_the_model_in_substeps() -> None:
    """Five mobility updates per tick, each by the law; the command holds."""
    world, body = small(), Scenario().mobility
    p, v = world.pose('uav_2')
    world.command('uav_2', (3.0, -2.0, 1.0))
    for _ in range(20):
        world.advance()
    for _ in range(100):
        p, v = step(p, v, (3.0, -2.0, 1.0), body.update_rate, body.limits)
    assert world.pose('uav_2') == (p, v)


def test_nobody_hears_itself() -> None:
    """Neither where all hear alike nor where the radio decides link by link."""
    for radio in ({}, {'communication_transmission_range': 150.0, 'byzantine': '0..: 3 frozen'}):
        world = small(radio=radio)
        for k in (1, 2):
            world.send(f'uav_{k}', said(k))
        world.advance()
        assert [state.agent_id for state in world.received('uav_1')] == [2]
        assert [state.agent_id for state in world.arrived('uav_1')] == [2]
        assert [state.agent_id for state in world.received('uav_3')] == [1, 2]


def fly(world: World, ticks: int) -> list[list]:
    """Let all speak for some ticks; return what each tick brings to each member."""
    found = []
    for tick in range(ticks):
        for k in (1, 2, 3):
            world.send(f'uav_{k}', said(k, tick))
        world.advance()
        found.append([world.received(name) for name in world.members])
    return found


def test_the_short_way_for_all_gives_what_the_links_give() -> None:
    """A clear radio is not looked at link by link; nobody can tell."""
    clear, links = small(), small()
    links.medium.is_reception_uniform = lambda now, positions: False
    assert clear.shared is not None
    assert fly(clear, 5) == fly(links, 5)
    assert clear.shared is not None and links.shared is None


def test_all_hear_alike_only_while_a_box_around_all_is_in_range() -> None:
    """The adversary starts 57 m from the target."""
    assert len(fly(small(), 1)[0]) == 5
    near = small(radio={'communication_transmission_range': 60.0})
    fly(near, 1)
    assert near.shared is None


@pytest.mark.parametrize('delay', [0.0, 0.05, 0.05000001, 0.15])
@pytest.mark.parametrize('period', [0.05, 0.01, 0.03])
def test_a_delay_is_an_exact_number_of_ticks(delay: float, period: float) -> None:
    """Heard at the first tick at or after the delay, one tick later at least, with its age."""
    swarm = {'control_period': period}
    world = small(swarm=swarm, radio={'communication_delay': delay})
    for _ in range(7):
        world.advance()
    world.send('uav_1', said(1))
    late = max(1, math.ceil(round(delay / period, 9)))
    for ticks in range(1, late + 3):
        world.advance()
        age = (world.time_ns - 7 * round(period * 1e9)) / 1e9
        expected = [said(1, age=age)] if ticks == late else []
        assert world.received('uav_2') == expected


def test_a_period_that_is_no_whole_nanosecond_shifts_no_delay() -> None:
    """Two periods of a third of a second, written with nine digits."""
    third = 1.0 / 3.0
    world = small(
        swarm={'control_period': third},
        mobility={'update_rate': third},
        radio={'communication_delay': 0.666666667},
    )
    for _ in range(6):
        world.send('uav_1', said(1))
        world.advance()
        world.advance()
        assert len(world.received('uav_2')) == 1


def test_numbers_that_are_none_are_not_heard_but_arrive() -> None:
    """As over ROS, where the message comes and its listener refuses it."""
    nan = said(1)._replace(position=(math.nan, 0.0, 0.0))
    for radio in ({}, {'communication_delay': 0.01}):
        world = small(radio=radio)
        world.send('uav_1', nan)
        world.send('uav_3', said(3))
        world.advance()
        assert [state.agent_id for state in world.received('uav_2')] == [3]
        assert [state.agent_id for state in world.arrived('uav_2')] == [1, 3]


def test_a_liar_keeps_its_own_body() -> None:
    """The lie goes to the listeners, not to the vehicle."""
    world = small(radio={'byzantine': '0..: 1 offset 5 -3'})
    before = world.pose('uav_1')
    world.send('uav_1', said(1))
    world.advance()
    (heard,) = world.received('uav_2')
    assert heard.position == (5.0, -3.0, 0.0)
    assert world.pose('uav_1') == before
