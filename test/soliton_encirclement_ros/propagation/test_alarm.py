"""The layer of alarms that hop from agent to agent."""

import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from soliton_encirclement_ros.propagation.alarm import (
    ALARM, NO_MESSAGE, REST, AlarmMessage, AlarmState
)
from support.ring import Ring

GAINS = ALARM.gains(PropagationParameters())
QUIET = [0.0] * 5


def heard(pred: AlarmMessage, succ: AlarmMessage, state: AlarmState = REST) -> tuple:
    """Return a step without an error."""
    return ALARM.step(state, 0.0, 0.05, pred, succ, GAINS)


def test_an_error_above_the_threshold_raises_both_alarms() -> None:
    """Sign, limited intensity, full life, and the refractory time begins."""
    state, signal = ALARM.step(REST, -1.7, 0.05, NO_MESSAGE, NO_MESSAGE, GAINS)
    assert state == (-1.0, 1.0, 20.0, -1.0, 1.0, 20.0, 15.0)
    assert signal == 0.0
    assert ALARM.signal(state, GAINS) == -2.0


@pytest.mark.parametrize('e_tau', [0.0, 0.4, -0.4])
def test_smaller_errors_raise_none(e_tau: float) -> None:
    """The threshold itself is still silent."""
    assert ALARM.step(REST, e_tau, 0.05, NO_MESSAGE, NO_MESSAGE, GAINS) == (REST, 0.0)


def test_a_lasting_error_alarms_every_fifteenth_tick() -> None:
    """Spec part 7: the refractory time is the period of regeneration."""
    state, raised = REST, []
    for k in range(46):
        state, _ = ALARM.step(state, 0.9, 0.05, NO_MESSAGE, NO_MESSAGE, GAINS)
        if state.refractory == 15.0:
            raised.append(k)
    assert raised == [0, 15, 30, 45]


def test_the_last_hop_arrives_but_goes_no_farther() -> None:
    """With one hop left it is felt and shown, with none it is over."""
    state, signal = heard(AlarmMessage(1.0, 1.0, 1.0, 0.0, 0.0, 0.0), NO_MESSAGE)
    assert (state.fwd_polarity, state.fwd_ttl, signal) == (1.0, 0.0, 0.92)
    assert ALARM.signal(state, GAINS) == 0.92
    assert heard(ALARM.message(state), NO_MESSAGE) == (REST, 0.0)


def test_own_alarms_stay_until_their_time_is_over() -> None:
    """Without anything arriving an alarm ages one tick at a time."""
    state, _ = ALARM.step(REST, 1.0, 0.05, NO_MESSAGE, NO_MESSAGE, GAINS)
    lives = 0
    while state.fwd_polarity != 0.0:
        state, _ = heard(NO_MESSAGE, NO_MESSAGE, state)
        lives += 1
    assert lives == 20


def test_refractory_time_outlives_no_reset() -> None:
    """Spec part 7."""
    ring = Ring('alarm', 1, 0.05)
    ring.tick([1.0])
    ring.reset(0)
    ring.tick([1.0])
    assert ring.values()[0]['fwd_ttl'] == 20.0


@pytest.mark.as_original
def test_w24_an_alarm_comes_round_to_its_origin_as_original() -> None:
    """W24, as the original: life 20 on a ring of 5, so whoever raised it hears it again."""
    ring = Ring('alarm', 5, 0.05)
    echoes = [ring.tick([1.0, *QUIET[1:]])[0]]
    echoes += [ring.tick(QUIET)[0] for _ in range(5)]
    assert echoes[:5] == [0.0] * 5
    assert echoes[5] == pytest.approx(2.0 * 0.92**5)
