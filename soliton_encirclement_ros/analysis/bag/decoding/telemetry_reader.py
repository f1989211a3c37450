"""Telemetry of agents and metrics of the monitor: JointStates that are not states."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from velocity_mobility_ros.core.frames import LARGEST_COORDINATE

from soliton_encirclement_ros.analysis.bag.decoding.joint_states import NamedColumns
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Numbers
from soliton_encirclement_ros.analysis.bag.decoding.state_columns import StateColumns
from soliton_encirclement_ros.core.laws.telemetry import BODY
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY

PLACE = 3
"""The first names are a position; their velocities count as well."""

COLUMNS = (*BODY[:PLACE], 'vx', 'vy', 'vz', *BODY[PLACE:])
"""The first columns of telemetry; values of the law follow."""


def telemetry(topic: str, joints: Iterable[NamedColumns]) -> tuple[list[StateColumns], list[str]]:
    """Return an agent's telemetry, and a line for everything refused."""
    columns, problems = [], []
    for part in joints:
        count = len(part.places)
        if part.names[: len(BODY)] != BODY or not part.velocities.shape[1]:
            names = ', '.join(part.names[: len(BODY)])[:80]
            problems.append(f'{topic}: {count} messages list {names}: no telemetry, left out')
            continue
        inner = part.positions[:, PLACE:]
        values = np.column_stack([part.positions[:, :PLACE], part.velocities[:, :PLACE], inner])
        kept = _plausible(values)
        if not kept.all():
            wrong = np.count_nonzero(~kept)
            problems.append(f'{topic}: {wrong} messages cannot be true: left out')
        rows = part.rows._replace(values=values).some(kept)
        columns.append(StateColumns(part.names[len(BODY) :], part.places[kept], rows))
    return columns, problems


def figures(joints: Iterable[NamedColumns]) -> list[StateColumns]:
    """Return the metrics of a monitor."""
    return [StateColumns(p.names, p.places, p.rows._replace(values=p.positions)) for p in joints]


def _plausible(values: Numbers) -> NDArray[np.bool_]:
    """Return which rows are plausible: ``telemetry.TelemetryRow.is_plausible``, whole numbers."""
    body = (np.abs(values[:, : 2 * PLACE]) <= LARGEST_COORDINATE).all(axis=1)
    failed, ring = values[:, 2 * PLACE], values[:, 2 * PLACE + 1 : len(COLUMNS)]
    numbered = ((ring >= NOBODY) & (ring == np.floor(ring))).all(axis=1)
    flagged = (failed == 0.0) | (failed == 1.0)
    return body & flagged & numbered & np.isfinite(values).all(axis=1)
