"""Warns of gains with which the law ``soliton`` may oscillate instead of settling."""

import math

from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.stability.ring_stability import is_surely_stable

SOLITON = 'soliton'


def law_warnings(control: ControlParameters, period: float, delay: float) -> list[str]:
    """Return one line per gain of the law ``soliton`` that may be unstable.

    Args:
        control: The gains.
        period: Control period [s].
        delay: Largest delay of the radio [s].
    """
    if control.controller != SOLITON:
        return []
    ticks = max(1, math.ceil(delay / period - 1e-9))
    found = []
    for name, gain, age in (('k_s', control.k_s, ticks), ('k_r', control.k_r, 1)):
        if not is_surely_stable(gain, control.k_v, period, age):
            found.append(
                f'control.{name} = {gain:g} 1/s with k_v = {control.k_v:g} 1/s may oscillate at '
                f'control_period = {period:g} s: ({age} {name} + 2 k_v) T = '
                f'{(age * gain + 2.0 * control.k_v) * period:.3g} should be at most 1 '
                '(docs/law.md)'
            )
    return found
