"""A law as the engine flies it: its functions over rows of numbers, each compiled by itself.

The kernel is compiled without any law. It gets these functions as pointers, so another law costs
the time that this law takes to compile and no more.
"""

import functools
import types
from collections.abc import Callable, Sequence

import numpy as np
from velocity_mobility_ros.core.frames import is_plausible_vector
from velocity_mobility_ros.core.plugins import short_name

from soliton_encirclement_ros.controllers import Law, Setup, View
from soliton_encirclement_ros.core.laws.agent_rules import relays_target
from soliton_encirclement_ros.core.laws.law import RingView, TargetView
from soliton_encirclement_ros.core.laws.law_fault import (
    are_finite,
    are_kept,
    checked_law,
    kept_at_rest,
)
from soliton_encirclement_ros.core.laws.record_rows import Packing, Record, packing
from soliton_encirclement_ros.core.laws.ring_messages import COMMON_FIELDS
from soliton_encirclement_ros.core.laws.user_code import LAYERS, is_of_user
from soliton_encirclement_ros.sim.compilation.call_graph import adopt, enclosed
from soliton_encirclement_ros.sim.compilation.compiled import NotCompiledError, pointed
from soliton_encirclement_ros.sim.compilation.numba_import import say
from soliton_encirclement_ros.sim.kernel.constants import LawFunctions, LawRules
from soliton_encirclement_ros.sim.kernel.flags import FINE, NO_NUMBER, RAISED
from soliton_encirclement_ros.sim.kernel.flight_memory import Floats

NOWHERE = (0.0, 0.0, 0.0)
NOBODY_THERE = RingView(
    0, 0, np.zeros(1, dtype=np.int64), *(np.zeros(1) for _ in range(3)),
    np.zeros(1, dtype=np.int64), np.zeros((1, 1)),
)  # fmt: skip
VIEW = View(
    0.0, 1, NOWHERE, NOWHERE, NOWHERE, 0.0, TargetView(1, NOWHERE, NOWHERE, 0.0, 0.0, True),
    NOBODY_THERE, 0.0,
)  # fmt: skip
"""What a law sees, as far as the compiler is concerned."""

ROW = np.zeros(1)


def law_rules(
    law: Law, setups: Sequence[Setup], plain: bool = False, is_told: bool = True
) -> LawRules:
    """Return a law as the kernel needs it, with the gains of every agent's setup.

    Args:
        law: The law.
        setups: The setup of every agent.
        plain: Whether to leave its functions as they stand.
        is_told: Whether the target broadcasts its state.
    """
    setup = setups[0]
    kinds = {limits: k for k, limits in enumerate(dict.fromkeys(one.limits for one in setups))}
    return LawRules(
        interpreted(law, setup) if plain else functions(law, setup),
        np.array([packed(law.gains(setup._replace(limits=one))) for one in kinds]),
        np.array([[one.max_speed_xy, one.max_speed_z] for one in kinds]),
        np.array([kinds[one.limits] for one in setups]),
        packed(law.rest),
        packed(law.no_message, COMMON_FIELDS),
        law.dead_reckoning,
        is_told and relays_target(law, setup.control),
        law.target_hold(setup),
        law.neighbour_hold(setup),
        law.neighbour_timeout(setup),
        setup.control.r_min,
    )


def packed(record: Record, first: Sequence[str] = ()) -> Floats:
    """Return a record as a row, as ``packing`` lays it."""
    found = packing(record, first)
    row = np.zeros(found.size)
    found.pack(record, row)
    return row


def over_rows(law: Law, setup: Setup) -> LawFunctions:
    """Return a law's functions over rows; the same every time, so that they are found compiled."""
    if law.step not in OVER_ROWS:
        for one in (law.step, *enclosed(law.step).values()):
            if isinstance(one, types.FunctionType):  # the layer's functions, too
                adopt(one)
        OVER_ROWS[law.step] = _over_rows(law, setup)
    return OVER_ROWS[law.step]


def _over_rows(law: Law, setup: Setup) -> LawFunctions:
    gains = packing(law.gains(setup))
    step = stepping(law, gains, is_of_user(setup))
    return LawFunctions(step, resetting(law), recording(law))


def interpreted(law: Law, setup: Setup) -> LawFunctions:
    """Return a law's functions over rows in plain Python; a user's results are checked."""
    return _over_rows(checked_law(law) if is_of_user(setup) else law, setup)


OVER_ROWS: dict[Callable, LawFunctions] = {}
"""What ``over_rows`` has returned, by ``step``."""


def functions(law: Law, setup: Setup) -> LawFunctions:
    """Return a law's functions, compiled where there is a compiler and it takes them."""
    plain = over_rows(law, setup)
    try:
        return LawFunctions(
            pointed(plain.step, ROW, ROW, ROW, ROW, VIEW),
            pointed(plain.reset, ROW),
            pointed(plain.record, ROW, ROW),
        )
    except NotCompiledError as error:
        say_not_compiled(_label(setup), str(error))
        return interpreted(law, setup)


def is_plain(step: Callable) -> bool:
    """Return whether a law's step is Python as it stands."""
    return isinstance(step, types.FunctionType)


def _label(setup: Setup) -> str:
    """Return what people call a law with its layer, where that is a user's."""
    law, method = setup.control.controller, setup.propagation.propagation_method
    names = [law, method] if LAYERS.is_foreign(method) else [law]
    return ' with '.join(map(short_name, names))


@functools.cache
def say_not_compiled(law: str, where: str) -> None:
    """Tell the user, once."""
    say(
        f'{law} does not compile ({where}): it flies in plain Python, which is slow; numbers, '
        'tuples, math and functions of these compile'
    )


def stepping(law: Law, gains_packing: Packing, is_checked: bool) -> Callable[..., int]:
    """Return a law's step over rows: gains, memory, message and decision.

    Args:
        law: The law.
        gains_packing: How its gains lie in a row.
        is_checked: Whether numbers that are not finite are a fault of its author, and indices
            beyond the agents that are present as well.
    """
    step, unpack_gains = law.step, gains_packing.unpack
    _, pack_memory, unpack_memory = packing(law.rest)
    pack_message = packing(law.no_message, COMMON_FIELDS).pack
    rest = kept_at_rest(law)

    def step_rows(
        gains: Floats, memory: Floats, message: Floats, decision: Floats, view: View
    ) -> int:
        """Advance by one control period, in place; return what went wrong.

        Then the memory is as before, so that somebody can look into it.
        """
        try:
            before = unpack_memory(memory)
            seen = present(view) if is_checked else view
            after, sent, wanted = step(unpack_gains(gains), before, seen)
        except Exception:  # anything the law does; ``law_error`` tells its author
            return RAISED
        x, y, z = wanted.velocity
        pack_message(sent, message)
        if is_checked and not (is_plausible_vector(wanted.velocity) and are_finite(message)):
            return NO_NUMBER
        pack_memory(after, memory)
        if is_checked and not are_kept(memory, rest):
            pack_memory(before, memory)
            return NO_NUMBER
        decision[0], decision[1], decision[2] = x, y, z
        decision[3], decision[4], decision[5] = wanted.pred, wanted.succ, wanted.e_tau
        return FINE

    return step_rows


def present(view: View) -> View:
    """Return what an agent sees, without the room for agents that are not present."""
    ring, count = view.ring, view.ring.count
    seen = RingView(
        count, ring.place, ring.ids[:count], ring.thetas[:count], ring.rates[:count],
        ring.weights[:count], ring.rows[:count], ring.states,
    )  # fmt: skip
    return View(
        view.now, view.agent_id, view.position, view.velocity, view.command, view.loss,
        view.target, seen, view.pose_age,
    )  # fmt: skip


def resetting(law: Law) -> Callable[[Floats], int]:
    """Return a law's reset over a row of its memory."""
    reset = law.reset
    _, pack, unpack = packing(law.rest)

    def reset_row(memory: Floats) -> int:
        """Take note that the agent is back after a failure, in place; return what went wrong."""
        try:
            after = reset(unpack(memory))
        except Exception:  # as of a step
            return RAISED
        pack(after, memory)
        return FINE

    return reset_row


def recording(law: Law) -> Callable[[Floats, Floats], int]:
    """Return what writes the values of a memory's row that are recorded into another row."""
    values, (_, _, unpack) = law.values, packing(law.rest)

    def record_row(memory: Floats, out: Floats) -> int:
        """Write the values."""
        found = values(unpack(memory))
        for k in range(len(found)):
            out[k] = found[k]
        return FINE

    return record_row
