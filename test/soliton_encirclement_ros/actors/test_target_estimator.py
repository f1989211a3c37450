"""An agent's estimator: what it takes from messages, and when the law gets its estimate."""

import math

import pytest
from soliton_encirclement_ros.actors import make_actors
from soliton_encirclement_ros.actors.target_estimator import AHEAD, TargetEstimator
from soliton_encirclement_ros.core.estimation.estimator import SightSetup
from soliton_encirclement_ros.core.laws.telemetry import ESTIMATE_NAMES
from soliton_encirclement_ros.core.parameters.sight_parameters import SightParameters
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.agent_cache import AgentCache
from soliton_encirclement_ros.core.states.states import AgentState, Pose, TargetState

HERE, STILL, DT = (20.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.05
SETUP = SightSetup(SightParameters(cooperative=False, range_noise=0.1, ring_omega_ref=0.2))


@pytest.fixture
def estimator():
    """Return the estimator of agent 1, which knows nothing."""
    return TargetEstimator(1, SETUP)


def step(estimator, tick, agents=None, vector=STILL, age=0.0, pose_age=0.0):
    """See a vector and advance to a tick."""
    estimator.see(vector, age)
    estimator.step(tick * DT, Pose(HERE, STILL), pose_age, agents or AgentCache(0.25))


def heard(message, received, age=DT):
    """Return a cache with the state of agent 2."""
    agents = AgentCache(0.25)
    agents.accept(AgentState(2, 1, HERE, STILL, prop=message, age=age), received)
    return agents


def test_the_law_gets_an_estimate_once_per_new_bearing(estimator):
    step(estimator, 1, vector=(-20.0, 0.0, 0.0))
    news = estimator.news(DT, 0.5)
    assert isinstance(news, TargetState) and news.seq == 1 and news.omega_ref == 0.2
    assert news.position == pytest.approx(STILL, abs=1e-6)
    step(estimator, 2)
    assert estimator.estimate.age == pytest.approx(DT)
    assert estimator.news(2 * DT, 0.5) is None


def test_a_bearing_older_than_the_timeout_is_no_news(estimator):
    step(estimator, 20, vector=(-20.0, 0.0, 0.0), age=0.6)
    assert estimator.estimate.age == pytest.approx(0.6)
    assert estimator.news(20 * DT, 0.5) is None


def test_a_message_is_used_once_and_its_age_counts(estimator):
    other = TargetEstimator(2, SETUP)
    step(other, 1, vector=(-20.0, 0.0, 0.0))
    agents = heard(other.broadcast(0.0), 2 * DT)
    step(estimator, 2, agents)
    assert estimator.estimate.age == pytest.approx(DT)
    before = estimator.estimate.covariance
    step(estimator, 3, agents)
    assert estimator.estimate.age == pytest.approx(2 * DT)
    assert estimator.estimate.covariance.xx > before.xx  # nothing new: less sure


def test_the_age_of_the_senders_pose_is_not_that_of_its_estimate(estimator):
    other = TargetEstimator(2, SETUP)
    step(other, 1, vector=(-20.0, 0.0, 0.0), pose_age=0.1)
    message = other.broadcast(0.1)
    assert dict(message)[AHEAD] == 0.1
    step(estimator, 2, heard(message, 2 * DT, age=0.1 + DT))
    assert estimator.estimate.age == pytest.approx(DT)


def test_states_without_a_message_are_passed_over(estimator):
    step(estimator, 2, heard((), 2 * DT))
    assert math.isinf(estimator.estimate.age)
    assert len(estimator.telemetry) == len(ESTIMATE_NAMES)
    assert estimator.telemetry[6] == -1.0
    assert {value for _, value in estimator.broadcast(0.0)} == {0.0}


def test_a_reset_forgets_everything(estimator):
    step(estimator, 1, vector=(-20.0, 0.0, 0.0))
    estimator.reset()
    assert math.isinf(estimator.estimate.age)
    step(estimator, 2)
    assert math.isinf(estimator.estimate.age)


def test_an_agent_that_estimates_does_not_listen_to_the_target():
    flown = Scenario().with_changes({'sight': {'cooperative': False}}, 'test')
    for scenario, hears in ((Scenario(), True), (flown, False)):
        agent = make_actors(scenario)['uav_1']
        agent.receive(1.0, [TargetState(1, STILL, STILL)])
        assert agent.hears_target(1.0) is hears
