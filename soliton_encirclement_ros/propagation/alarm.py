"""Alarms that run around the ring, one each way, weaker with every hop.

An error above theta raises two alarms, at most once per refractory time; each tick an alarm hops
to the next agent with lam times its intensity, until its hops are used up. An own alarm stays in
place until another one arrives or its time is over. Times count ticks, not seconds. The
neighbours' signal is the sum of the alarms that arrive.
Source: the soliton encirclement experiment for GrADyS-SIM NG (third version).
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters


class Alarm(NamedTuple):
    """Sign (0 while inactive), intensity, and hops or ticks to live."""

    polarity: float
    intensity: float
    ttl: float


class AlarmSaid(NamedTuple):
    """The alarm that runs to the successor and the one that runs to the predecessor."""

    fwd_polarity: float
    fwd_intensity: float
    fwd_ttl: float
    bwd_polarity: float
    bwd_intensity: float
    bwd_ttl: float


class AlarmState(NamedTuple):
    """Both alarms, and the ticks until the next own one is allowed."""

    fwd_polarity: float
    fwd_intensity: float
    fwd_ttl: float
    bwd_polarity: float
    bwd_intensity: float
    bwd_ttl: float
    refractory: float


class AlarmGains(NamedTuple):
    """Threshold, largest intensity, life [ticks], share left per hop, refractory time [ticks]."""

    theta: float
    i_max: float
    ttl_max: float
    lam: float
    refract: float


SILENT = Alarm(0.0, 0.0, 0.0)
REST = AlarmState(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
SILENCE = AlarmSaid(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def gains_of(parameters: PropagationParameters) -> AlarmGains:
    """Pick this layer's gains."""
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
    pred: AlarmSaid,
    succ: AlarmSaid,
    gains: AlarmGains,
) -> tuple[AlarmState, float]:
    """Advance by one tick, however long; return the state and the neighbours' signal."""
    refractory = state.refractory - 1.0 if state.refractory > 0.0 else 0.0
    from_pred = relayed(Alarm(pred.fwd_polarity, pred.fwd_intensity, pred.fwd_ttl), gains)
    from_succ = relayed(Alarm(succ.bwd_polarity, succ.bwd_intensity, succ.bwd_ttl), gains)
    heard = weight(from_pred) + weight(from_succ)
    if abs(e_tau) > gains.theta and refractory == 0.0:
        own = Alarm(math.copysign(1.0, e_tau), min(abs(e_tau), gains.i_max), gains.ttl_max)
        return joined(own, own, gains.refract), heard
    fwd, bwd = from_pred, from_succ
    if fwd.polarity == 0.0:
        fwd = aged(Alarm(state.fwd_polarity, state.fwd_intensity, state.fwd_ttl))
    if bwd.polarity == 0.0:
        bwd = aged(Alarm(state.bwd_polarity, state.bwd_intensity, state.bwd_ttl))
    return joined(fwd, bwd, refractory), heard


def relayed(alarm: Alarm, gains: AlarmGains) -> Alarm:
    """Return a neighbour's alarm after its hop here."""
    if alarm.polarity == 0.0 or alarm.ttl <= 0.0:
        return SILENT
    return Alarm(alarm.polarity, gains.lam * alarm.intensity, alarm.ttl - 1.0)


def aged(alarm: Alarm) -> Alarm:
    """Return an alarm one tick later."""
    if alarm.ttl - 1.0 <= 0.0:
        return SILENT
    return Alarm(alarm.polarity, alarm.intensity, alarm.ttl - 1.0)


def weight(alarm: Alarm) -> float:
    """Return an alarm's share of a signal."""
    return alarm.polarity * alarm.intensity


def joined(fwd: Alarm, bwd: Alarm, refractory: float) -> AlarmState:
    """Return the state that consists of these."""
    return AlarmState(
        fwd.polarity,
        fwd.intensity,
        fwd.ttl,
        bwd.polarity,
        bwd.intensity,
        bwd.ttl,
        refractory,
    )


def said(state: AlarmState) -> AlarmSaid:
    """Return both alarms."""
    return AlarmSaid(
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
    """Drop both alarms; the refractory time goes on."""
    return joined(SILENT, SILENT, state.refractory)


ALARM = Layer(REST, SILENCE, gains_of, step, said, signal, on_neighbour_change)
