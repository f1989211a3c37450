"""The environments keep the rules of Gymnasium and PettingZoo, by their own checks."""

import sys
import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test

from soliton_encirclement_ros import RunError, SwarmEnv, SwarmParallelEnv, ring_reward

FEW = {'run.num_agents': 3, 'run.sim_duration': 3.0}


def options():
    """Return a short flight that is interpreted."""
    return {'changes': FEW, 'is_compiled': lambda: False}


@pytest.mark.parametrize(
    ('agents', 'shape'), [(None, (3,)), ('uav_2', ()), (['uav_1', 'uav_3'], (2,))]
)
def test_gymnasium_has_no_complaint(agents, shape):
    env = SwarmEnv('demo', agents, **options())
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # an unbounded observation, and actions in m/s
        check_env(env, skip_render_check=True)
    assert env.observation_space.shape == (*shape, 24) and env.action_space.shape == (*shape, 3)


def test_pettingzoo_has_no_complaint():
    parallel_api_test(SwarmParallelEnv('demo', **options()), num_cycles=150)
    parallel_seed_test(lambda: SwarmParallelEnv('demo', **options()), num_cycles=30)


def test_an_episode_is_truncated_at_the_end_of_the_scenario():
    env = SwarmEnv('still', **options())
    env.reset(seed=1)
    told = [env.step(np.zeros((3, 3), np.float32)) for _ in range(60)]
    assert [one[3] for one in told] == [False] * 59 + [True]
    assert not any(one[2] for one in told)
    assert told[-1][4]['time'] == pytest.approx(3.0) and told[-1][4]['down'] == []


def test_the_reward_is_the_users_and_sees_the_moment():
    env = SwarmEnv('still', reward=lambda moment: moment.time, **options())
    env.reset(seed=1)
    assert env.step(env.action_space.sample())[1] == pytest.approx(0.05)


def test_both_fly_the_same():
    many = SwarmParallelEnv('demo', **options())
    one = SwarmEnv('demo', **options())
    many.reset(seed=5)
    one.reset(seed=5)
    for _ in range(20):
        found = many.step({name: np.ones(3) for name in many.agents})
        rows, reward, *_ = one.step(np.ones((3, 3)))
    assert np.array_equal(np.array([*found[0].values()]), rows)
    assert found[1] == dict.fromkeys(many.agents, reward)


def test_a_collision_ends_the_episode_of_all():
    changes = {**FEW, 'run.collision_distance': 1000.0}
    env = SwarmParallelEnv('still', changes=changes, is_compiled=lambda: False)
    env.reset(seed=1)
    told = env.step(dict.fromkeys(env.agents, np.zeros(3)))
    assert all(told[2].values()) and not any(told[3].values()) and env.agents == []
    assert all(reward < -100.0 for reward in told[1].values())


def test_without_the_library_it_is_said_how_it_is_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, 'gymnasium', None)
    monkeypatch.delitem(sys.modules, 'soliton_encirclement_ros.learning.gymnasium_env')
    monkeypatch.delattr('soliton_encirclement_ros.SwarmEnv', raising=False)
    with pytest.raises(RunError, match=r'gymnasium is not installed: pip install .*\[rl\]'):
        from soliton_encirclement_ros import SwarmEnv as _  # noqa: F401


def test_a_moment_without_anybody_costs_two():
    assert ring_reward(SwarmEnv('still', **options()).flight.reset()) == -2.0
