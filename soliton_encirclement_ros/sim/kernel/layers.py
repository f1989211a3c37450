"""One agent's layer of propagation: the numbers of ``propagation.Relay``."""

from soliton_encirclement_ros.propagation.advection import (
    TwoWay as AdvectionFields,
)
from soliton_encirclement_ros.propagation.advection import (
    on_neighbour_change as advection_change,
)
from soliton_encirclement_ros.propagation.advection import (
    said as advection_said,
)
from soliton_encirclement_ros.propagation.advection import (
    step as advection_step,
)
from soliton_encirclement_ros.propagation.alarm import (
    AlarmSaid,
    AlarmState,
)
from soliton_encirclement_ros.propagation.alarm import (
    on_neighbour_change as alarm_change,
)
from soliton_encirclement_ros.propagation.alarm import (
    said as alarm_said,
)
from soliton_encirclement_ros.propagation.alarm import (
    step as alarm_step,
)
from soliton_encirclement_ros.propagation.burgers import (
    TwoWay as BurgersFields,
)
from soliton_encirclement_ros.propagation.burgers import (
    on_neighbour_change as burgers_change,
)
from soliton_encirclement_ros.propagation.burgers import (
    said as burgers_said,
)
from soliton_encirclement_ros.propagation.burgers import (
    step as burgers_step,
)
from soliton_encirclement_ros.propagation.excitable import (
    ExcitableSaid,
    ExcitableState,
)
from soliton_encirclement_ros.propagation.excitable import (
    on_neighbour_change as excitable_change,
)
from soliton_encirclement_ros.propagation.excitable import (
    said as excitable_said,
)
from soliton_encirclement_ros.propagation.excitable import (
    step as excitable_step,
)
from soliton_encirclement_ros.propagation.kdv import (
    KdvState,
)
from soliton_encirclement_ros.propagation.kdv import (
    on_neighbour_change as kdv_change,
)
from soliton_encirclement_ros.propagation.kdv import (
    said as kdv_said,
)
from soliton_encirclement_ros.propagation.kdv import (
    step as kdv_step,
)
from soliton_encirclement_ros.propagation.wave import (
    WaveSaid,
    WaveState,
)
from soliton_encirclement_ros.propagation.wave import (
    on_neighbour_change as wave_change,
)
from soliton_encirclement_ros.propagation.wave import (
    said as wave_said,
)
from soliton_encirclement_ros.propagation.wave import (
    step as wave_step,
)
from soliton_encirclement_ros.sim.kernel.records import Floats
from soliton_encirclement_ros.sim.kernel.rules import (
    ADVECTION,
    ALARM,
    BURGERS,
    EXCITABLE,
    KDV,
    WAVE,
    Rules,
)

Fields = tuple[float, float, float, float, float, float]
"""What an agent says of its layer; the fields that a layer does not have are 0."""

SILENCE: Fields = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def layer_tick(rules: Rules, state: Floats, e_tau: float, pred: Fields, succ: Fields) -> float:
    """Advance the state of a layer in place by one tick; return the neighbours' signal.

    Args:
        rules: The flight's constants.
        state: The agent's part of the layer.
        e_tau: Spacing error in use.
        pred: What the predecessor said, or silence.
        succ: What the successor said, or silence.
    """
    if rules.swarm.layer == ADVECTION:
        return advection_tick(rules, state, e_tau, pred, succ)
    if rules.swarm.layer == WAVE:
        return wave_tick(rules, state, e_tau, pred, succ)
    if rules.swarm.layer == EXCITABLE:
        return excitable_tick(rules, state, e_tau, pred, succ)
    if rules.swarm.layer == KDV:
        return kdv_tick(rules, state, e_tau, pred, succ)
    if rules.swarm.layer == ALARM:
        return alarm_tick(rules, state, e_tau, pred, succ)
    if rules.swarm.layer == BURGERS:
        return burgers_tick(rules, state, e_tau, pred, succ)
    return 0.0


def tell_layer(rules: Rules, state: Floats, out: Floats) -> None:
    """Put what the neighbours hear of a layer's state into a row."""
    if rules.swarm.layer == ADVECTION:
        out[0], out[1] = advection_said(AdvectionFields(state[0], state[1]))
    if rules.swarm.layer == WAVE:
        (out[0],) = wave_said(WaveState(state[0], state[1]))
    if rules.swarm.layer == EXCITABLE:
        (out[0],) = excitable_said(ExcitableState(state[0], state[1]))
    if rules.swarm.layer == KDV:
        out[0], out[1] = kdv_said(KdvState(state[0], state[1]))
    if rules.swarm.layer == ALARM:
        out[0], out[1], out[2], out[3], out[4], out[5] = alarm_said(
            AlarmState(state[0], state[1], state[2], state[3], state[4], state[5], state[6])
        )
    if rules.swarm.layer == BURGERS:
        out[0], out[1] = burgers_said(BurgersFields(state[0], state[1]))


def change_layer(rules: Rules, state: Floats) -> None:
    """Let a layer forget in place what belonged to another neighbour."""
    if rules.swarm.layer == ADVECTION:
        state[0], state[1] = advection_change(AdvectionFields(state[0], state[1]))
    if rules.swarm.layer == WAVE:
        state[0], state[1] = wave_change(WaveState(state[0], state[1]))
    if rules.swarm.layer == EXCITABLE:
        state[0], state[1] = excitable_change(ExcitableState(state[0], state[1]))
    if rules.swarm.layer == KDV:
        state[0], state[1] = kdv_change(KdvState(state[0], state[1]))
    if rules.swarm.layer == ALARM:
        state[0], state[1], state[2], state[3], state[4], state[5], state[6] = alarm_change(
            AlarmState(state[0], state[1], state[2], state[3], state[4], state[5], state[6])
        )
    if rules.swarm.layer == BURGERS:
        state[0], state[1] = burgers_change(BurgersFields(state[0], state[1]))


def advection_tick(rules: Rules, state: Floats, e_tau: float, pred: Fields, succ: Fields) -> float:
    """Advance this layer's state in place; return the neighbours' signal."""
    after, signal = advection_step(
        AdvectionFields(state[0], state[1]),
        e_tau,
        rules.swarm.period,
        AdvectionFields(pred[0], pred[1]),
        AdvectionFields(succ[0], succ[1]),
        rules.laws.layers.advection,
    )
    state[0], state[1] = after
    return signal


def wave_tick(rules: Rules, state: Floats, e_tau: float, pred: Fields, succ: Fields) -> float:
    """Advance this layer's state in place; return the neighbours' signal."""
    after, signal = wave_step(
        WaveState(state[0], state[1]),
        e_tau,
        rules.swarm.period,
        WaveSaid(pred[0]),
        WaveSaid(succ[0]),
        rules.laws.layers.wave,
    )
    state[0], state[1] = after
    return signal


def excitable_tick(rules: Rules, state: Floats, e_tau: float, pred: Fields, succ: Fields) -> float:
    """Advance this layer's state in place; return the neighbours' signal."""
    after, signal = excitable_step(
        ExcitableState(state[0], state[1]),
        e_tau,
        rules.swarm.period,
        ExcitableSaid(pred[0]),
        ExcitableSaid(succ[0]),
        rules.laws.layers.excitable,
    )
    state[0], state[1] = after
    return signal


def kdv_tick(rules: Rules, state: Floats, e_tau: float, pred: Fields, succ: Fields) -> float:
    """Advance this layer's state in place; return the neighbours' signal."""
    after, signal = kdv_step(
        KdvState(state[0], state[1]),
        e_tau,
        rules.swarm.period,
        KdvState(pred[0], pred[1]),
        KdvState(succ[0], succ[1]),
        rules.laws.layers.kdv,
    )
    state[0], state[1] = after
    return signal


def alarm_tick(rules: Rules, state: Floats, e_tau: float, pred: Fields, succ: Fields) -> float:
    """Advance this layer's state in place; return the neighbours' signal."""
    after, signal = alarm_step(
        AlarmState(state[0], state[1], state[2], state[3], state[4], state[5], state[6]),
        e_tau,
        rules.swarm.period,
        AlarmSaid(pred[0], pred[1], pred[2], pred[3], pred[4], pred[5]),
        AlarmSaid(succ[0], succ[1], succ[2], succ[3], succ[4], succ[5]),
        rules.laws.layers.alarm,
    )
    state[0], state[1], state[2], state[3], state[4], state[5], state[6] = after
    return signal


def burgers_tick(rules: Rules, state: Floats, e_tau: float, pred: Fields, succ: Fields) -> float:
    """Advance this layer's state in place; return the neighbours' signal."""
    after, signal = burgers_step(
        BurgersFields(state[0], state[1]),
        e_tau,
        rules.swarm.period,
        BurgersFields(pred[0], pred[1]),
        BurgersFields(succ[0], succ[1]),
        rules.laws.layers.burgers,
    )
    state[0], state[1] = after
    return signal
