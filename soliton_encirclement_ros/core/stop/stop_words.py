"""The content of a message about the emergency stop, as plain values; checked when it is read."""

import re
from typing import NamedTuple

from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.stop.heartbeat import LONGEST_TIMEOUT, is_timeout
from soliton_encirclement_ros.core.stop.stop_order import EVERYBODY, StopOrder

STOP, RELEASE = 'stop', 'release'

HEARTBEAT = 'heartbeat'
"""The operator's process lives."""

HEARTBEAT_ENDS = 'heartbeat ends'
"""The operator ends the watch on purpose: nobody stops."""

END_HOLD = 'end hold'
"""A request to all operators to end their heartbeats."""

KINDS = (STOP, RELEASE, HEARTBEAT, HEARTBEAT_ENDS, END_HOLD)

MEMBER = re.compile(r'[A-Za-z_][A-Za-z0-9_]{0,79}', re.ASCII)

LARGEST_STAMP_NS = 2**31 * 1_000_000_000
"""Stamps [ns] end here, in 2038: ROS counts seconds in 32 bits."""

MAX_TEXT = 200
"""Characters of a source, at most."""


class StopWord(NamedTuple):
    """One item of a message.

    Attributes:
        kind: One of ``KINDS``.
        scope: For an order: ``EVERYBODY`` or the name of a member.
        source: Who says it.
        stamp_ns: When an order was given [ns since 1970].
        timeout: For a heartbeat: time [s] without one after which to stop.
    """

    kind: str
    scope: str = EVERYBODY
    source: str = ''
    stamp_ns: int = 0
    timeout: float = 0.0


def word_of(order: StopOrder) -> StopWord:
    """Return an order as an item of a message."""
    kind = STOP if order.stop else RELEASE
    return StopWord(kind, order.scope, order.source, order.stamp_ns)


def order_of(word: StopWord) -> StopOrder | None:
    """Return the order in an item, None if it is none."""
    if word.kind not in (STOP, RELEASE):
        return None
    return StopOrder(word.scope, word.kind == STOP, word.stamp_ns, word.source)


def read_word(source: str, fields: dict[str, str]) -> StopWord:
    """Return an item of a message from its texts.

    Args:
        source: Who says it.
        fields: ``kind``; for an order ``stamp_ns`` and, for one member, ``member``; for a
            heartbeat ``timeout_s``.

    Raises:
        MalformedStateError: A text is missing or invalid; nothing of it counts.
    """
    kind, scope = fields.get('kind', ''), fields.get('member', EVERYBODY)
    if kind not in KINDS:
        raise MalformedStateError(f'kind = {kind[:40]!r} must be {", ".join(KINDS)}')
    if scope != EVERYBODY and not MEMBER.fullmatch(scope):
        raise MalformedStateError(f'member = {scope[:40]!r} must be a name such as uav_3')
    stamp_ns = _stamp(fields.get('stamp_ns', '')) if kind in (STOP, RELEASE) else 0
    timeout = _timeout(fields.get('timeout_s', '')) if kind == HEARTBEAT else 0.0
    return StopWord(kind, scope, source[:MAX_TEXT] or 'unknown', stamp_ns, timeout)


def fields_of(word: StopWord) -> dict[str, str]:
    """Return the texts of an item, for ``read_word``."""
    fields = {'kind': word.kind}
    if word.kind in (STOP, RELEASE):
        fields['stamp_ns'] = str(word.stamp_ns)
        if word.scope != EVERYBODY:
            fields['member'] = word.scope
    if word.kind == HEARTBEAT:
        fields['timeout_s'] = repr(word.timeout)
    return fields


def _stamp(text: str) -> int:
    """Return a stamp [ns]: digits only, above 0."""
    if text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) < LARGEST_STAMP_NS:
        return int(text)
    raise MalformedStateError(
        f'stamp_ns = {text[:40]!r} must be a whole number of nanoseconds since 1970'
    )


def _timeout(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not is_timeout(value):
        raise MalformedStateError(
            f'timeout_s = {text[:40]!r} must be above 0 and at most {LONGEST_TIMEOUT:g} s'
        )
    return value
