"""AlarmSignal layer: alarms travel around the ring in both directions and weaken with every hop.

An error above theta raises two alarms, at most once per refractory time; each tick an alarm hops
to the next agent with lam times its intensity, until its hops are used up. An agent keeps its own
alarm until another one arrives or it expires. Times count ticks, not seconds. The
neighbours' signal is the sum of the alarms that arrive.
Source: the soliton encirclement experiment for GrADyS-SIM NG (third version).
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters


class AlarmSignal(NamedTuple):
    """Sign (0 while inactive), intensity, and hops or ticks to live."""

    polarity: float
    intensity: float
    ttl: float


class AlarmMessage(NamedTuple):
    """The alarm travelling to the successor and the one travelling to the predecessor."""

    fwd_polarity: float
    fwd_intensity: float
    fwd_ttl: float
    bwd_polarity: float
    bwd_intensity: float
    bwd_ttl: float


class AlarmState(NamedTuple):
    """Both alarms, and the ticks until the agent may raise the next one."""

    fwd_polarity: float
    fwd_intensity: float
    fwd_ttl: float
    bwd_polarity: float
    bwd_intensity: float
    bwd_ttl: float
    refractory: float


class AlarmGains(NamedTuple):
    """Threshold, largest intensity, life [ticks], factor per hop, refractory time [ticks]."""

    theta: float
    i_max: float
    ttl_max: float
    lam: float
    refract: float


INACTIVE = AlarmSignal(0.0, 0.0, 0.0)
REST = AlarmState(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
NO_MESSAGE = AlarmMessage(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def gains_of(parameters: PropagationParameters) -> AlarmGains:
    """Return this layer's gains."""
    return AlarmGains(
        parameters.alarm_theta,
        parameters.alarm_i_max,
        float(parameters.alarm_ttl_max),
        parameters.alarm_lam,
        float(parameters.alarm_refract),
    )


def step(
    state: AlarmState,
    e_tau: float,
    dt: float,
    pred: AlarmMessage,
    succ: AlarmMessage,
    gains: AlarmGains,
) -> tuple[AlarmState, float]:
    """Advance by one tick, of any length; return the state and the neighbours' signal."""
    refractory = state.refractory - 1.0 if state.refractory > 0.0 else 0.0
    from_pred = relayed(AlarmSignal(pred.fwd_polarity, pred.fwd_intensity, pred.fwd_ttl), gains)
    from_succ = relayed(AlarmSignal(succ.bwd_polarity, succ.bwd_intensity, succ.bwd_ttl), gains)
    received = weight(from_pred) + weight(from_succ)
    if abs(e_tau) > gains.theta and refractory == 0.0:
        own = AlarmSignal(math.copysign(1.0, e_tau), min(abs(e_tau), gains.i_max), gains.ttl_max)
        return combined(own, own, gains.refract), received
    fwd, bwd = from_pred, from_succ
    if fwd.polarity == 0.0:
        fwd = aged(AlarmSignal(state.fwd_polarity, state.fwd_intensity, state.fwd_ttl))
    if bwd.polarity == 0.0:
        bwd = aged(AlarmSignal(state.bwd_polarity, state.bwd_intensity, state.bwd_ttl))
    return combined(fwd, bwd, refractory), received


def relayed(alarm: AlarmSignal, gains: AlarmGains) -> AlarmSignal:
    """Return a neighbour's alarm after its hop to this agent."""
    if alarm.polarity == 0.0 or alarm.ttl <= 0.0:
        return INACTIVE
    return AlarmSignal(alarm.polarity, gains.lam * alarm.intensity, alarm.ttl - 1.0)


def aged(alarm: AlarmSignal) -> AlarmSignal:
    """Return an alarm one tick later."""
    if alarm.ttl - 1.0 <= 0.0:
        return INACTIVE
    return AlarmSignal(alarm.polarity, alarm.intensity, alarm.ttl - 1.0)


def weight(alarm: AlarmSignal) -> float:
    """Return the contribution of an alarm to the signal."""
    return alarm.polarity * alarm.intensity


def combined(fwd: AlarmSignal, bwd: AlarmSignal, refractory: float) -> AlarmState:
    """Return the state with both alarms and the refractory time."""
    return AlarmState(
        fwd.polarity,
        fwd.intensity,
        fwd.ttl,
        bwd.polarity,
        bwd.intensity,
        bwd.ttl,
        refractory,
    )


def message(state: AlarmState) -> AlarmMessage:
    """Return both alarms."""
    return AlarmMessage(
        state.fwd_polarity,
        state.fwd_intensity,
        state.fwd_ttl,
        state.bwd_polarity,
        state.bwd_intensity,
        state.bwd_ttl,
    )


def signal(state: AlarmState, gains: AlarmGains) -> float:
    """Return the sum of both alarms."""
    fwd = state.fwd_polarity * state.fwd_intensity
    return fwd + state.bwd_polarity * state.bwd_intensity


def on_neighbour_change(state: AlarmState) -> AlarmState:
    """Drop both alarms; keep the refractory time."""
    return combined(INACTIVE, INACTIVE, state.refractory)


ALARM = Layer(REST, NO_MESSAGE, gains_of, step, message, signal, on_neighbour_change)
