"""The simulated world: bodies, medium and tick."""

import pytest
from soliton_encirclement_ros.core import AgentState, TargetState
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.core.world import World
from velocity_mobility_ros.core.model import step

ORIGIN = (0.0, 0.0, 0.0)


def small(**sections: dict) -> World:
    """Return a world of three agents, target and adversary."""
    return World(Scenario().with_changes({'run': {'num_agents': 3}, **sections}, 'x'))


def said(agent_id: int, seq: int = 0) -> AgentState:
    """Return an agent's state."""
    return AgentState(agent_id, seq, ORIGIN, ORIGIN)


def test_members_have_a_fixed_order() -> None:
    """Agents, target, adversary."""
    assert small().members == ('uav_1', 'uav_2', 'uav_3', 'target', 'adversary')
    quiet = small(adversary={'adversary_enable': False})
    assert quiet.members == ('uav_1', 'uav_2', 'uav_3', 'target')


def test_everybody_starts_at_rest_in_the_scenarios_place() -> None:
    """The target in the origin, the adversary at (40, 40)."""
    world = small()
    assert world.pose('target') == (ORIGIN, ORIGIN)
    assert world.pose('adversary') == ((40.0, 40.0, 0.0), ORIGIN)
    assert (world.tick, world.time) == (0, 0.0)


def test_words_are_heard_exactly_one_tick_later() -> None:
    """Heard at k + 1, neither at k nor at k + 2."""
    world = small()
    world.say('uav_1', said(1))
    assert world.heard() == []
    world.advance()
    assert world.heard() == [said(1)]
    world.advance()
    assert world.heard() == []


def test_hearing_does_not_consume() -> None:
    """Everybody hears the same, however often somebody listens."""
    world = small()
    world.say('target', TargetState(1, ORIGIN, ORIGIN))
    world.advance()
    assert world.heard() == world.heard() == [TargetState(1, ORIGIN, ORIGIN)]


@pytest.mark.parametrize('order', [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_order_of_answers_does_not_matter(order: tuple[int, ...]) -> None:
    """What is heard stands in the order of members."""
    world = small()
    for k in order:
        world.say(f'uav_{k}', said(k))
    world.advance()
    assert world.heard() == [said(1), said(2), said(3)]


def test_the_last_word_of_a_tick_counts() -> None:
    """A member says one thing per tick."""
    world = small()
    world.say('uav_1', said(1, 1))
    world.say('uav_1', said(1, 2))
    world.advance()
    assert world.heard() == [said(1, 2)]


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


def test_a_command_moves_nobody_else() -> None:
    """Bodies are independent."""
    world = small()
    before = world.pose('uav_1')
    world.command('uav_2', (5.0, 0.0, 0.0))
    world.advance()
    assert world.pose('uav_1') == before


@pytest.mark.parametrize('act', ['pose', 'command'])
def test_strangers_have_no_body(act: str) -> None:
    """An unknown member is an error of the caller."""
    arguments = {'pose': ('uav_9',), 'command': ('uav_9', ORIGIN)}[act]
    with pytest.raises(KeyError, match='uav_9'):
        getattr(small(), act)(*arguments)


def test_strangers_are_not_heard() -> None:
    """Words of somebody without a body do not reach anybody."""
    world = small()
    world.say('uav_9', said(9))
    world.advance()
    assert world.heard() == []
