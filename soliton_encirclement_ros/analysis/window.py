"""Cuts a recording to a time window, for example without take-off and landing."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.recording import (
    PARTS,
    Floats,
    Member,
    Recording,
    StatusReport,
)
from soliton_encirclement_ros.analysis.silences import silences
from soliton_encirclement_ros.core.errors import RunError


def between(recording: Recording, begin: float, end: float) -> Recording:
    """Return the data of a recording between two times [s]; times are not shifted.

    The topic statistics still cover the whole recording.

    Raises:
        RunError: The window has no data.
    """
    members = {name: _member(member, begin, end) for name, member in recording.members.items()}
    if not any(_has_samples(member) for member in members.values()):
        raise RunError(
            f'no data between {begin:g} and {end:g} s; the recording covers 0 to '
            f'{recording.duration:g} s'
        )
    metrics = recording.metrics
    if metrics is not None:
        rows = _rows(metrics['time'], begin, end)
        metrics = {name: values[rows] for name, values in metrics.items()}
    outside = {*silences(recording.members.values())}
    kept = [line for line in recording.problems if line not in outside]
    note = f'only {begin:g} to {end:g} s of {recording.duration:g} s were analysed'
    return recording._replace(
        members=members,
        metrics=metrics,
        duration=min(end, recording.duration),
        begin=begin,
        statuses=tuple(_statuses(recording.statuses, begin, end)),
        problems=(*kept, *silences(members.values()), note),
    )


def _statuses(reports: Sequence[StatusReport], begin: float, end: float) -> Iterator[StatusReport]:
    """Iterate over the reports of a window, first over what every node had said before."""
    before = {one.name: one._replace(time=begin) for one in reports if one.time < begin}
    yield from before.values()
    yield from (one for one in reports if begin <= one.time <= end)


def _member(member: Member, begin: float, end: float) -> Member:
    parts = {name: getattr(member, name) for name in PARTS}
    return member._replace(**{
        name: part if part is None else _cut(part, _rows(part.time, begin, end))
        for name, part in parts.items()
    })  # fmt: skip


def _cut(part: Any, rows: slice) -> Any:
    """Return the given rows of a record of columns."""
    return part._replace(**{
        name: {key: column[rows] for key, column in value.items()}
        if isinstance(value, Mapping) else value[rows]
        for name, value in part._asdict().items()
    })  # fmt: skip


def _rows(times: Floats, begin: float, end: float) -> slice:
    first, last = np.searchsorted(times, begin, 'left'), np.searchsorted(times, end, 'right')
    return slice(int(first), int(last))


def _has_samples(member: Member) -> bool:
    parts = (getattr(member, name) for name in PARTS)
    return any(part is not None and len(part.time) for part in parts)
