"""Orders of an operator to a fleet, and their handling by the bridge of one vehicle.

An operator says an order again and again while it waits for the answers, so that a bridge which
is found late hears it too. Each copy tells how long ago the order was given, by one clock: no two
clocks need to agree.

    safe order (hold, land, rtl, disarm, kill, cancel)   carried out at its first copy
    other order (arm_takeoff, engage, reset)             at its second one: the operator lives now
    copy from long ago (left in a queue)                 waits for a second one, too
    older than the order that counts                     refused
    given before the vehicle was armed                   refused: none survives into a later flight
    take-off of several                                  asked first; arms at the release alone
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from velocity_mobility_ros.autopilot.engage.autopilot_exchange import OPERATOR_LOST
from velocity_mobility_ros.autopilot.engage.engage_records import Request
from velocity_mobility_ros.core.user_errors import MobilityError

AT_ONCE, ASKED, RELEASED = 'at once', 'asked', 'released'
"""How far a take-off is: of one vehicle alone, or of all together."""

SAFE = frozenset(
    {Request.HOLD, Request.LAND, Request.RETURN, Request.DISARM, Request.KILL, Request.CANCEL}
)
"""Orders that lead to a safer state: they do not wait for anything that is not needed for it."""

VALID_FOR = 30.0
"""Time after which an order is not carried out any more [s]."""

ASKING_FOR = 60.0
"""The same for a take-off whose release waits for the slowest vehicle [s]."""

BEAT = 0.1
"""Time between two copies of an order [s]."""

LIVE_GAP = 0.05
"""Two copies so far apart by the clock of the bridge were not waiting in a queue together [s]."""

MAX_KNOWN = 64
"""Orders that a bridge remembers."""

MAX_TEXT = 200
"""Characters of a text that are kept."""


class MalformedOrderError(MobilityError):
    """A message is no order."""


class FleetOrder(NamedTuple):
    """One copy of an order.

    Attributes:
        order_id: Which order it is, the same in all copies.
        request: What is ordered.
        members: Names of the vehicles that it is for; empty: all.
        source: Who gives it.
        stamp_ns: When it was given [ns since 1970, clock of the operator].
        age: Time from then until this copy was sent [s].
        copy: Number of the copy.
        start: For a take-off: one of AT_ONCE, ASKED, RELEASED.
        valid_for: Age after which it is not carried out any more [s].
    """

    order_id: str
    request: Request
    members: tuple[str, ...]
    source: str
    stamp_ns: int
    age: float = 0.0
    copy: int = 0
    start: str = AT_ONCE
    valid_for: float = VALID_FOR

    def is_for(self, name: str) -> bool:
        """Return whether a vehicle is meant."""
        return not self.members or name in self.members


class OrderAnswer(NamedTuple):
    """Answer of a bridge to the last order for its vehicle.

    Attributes:
        order_id: The order; empty: there was none.
        kind: What was ordered.
        source: Who gave it.
        accepted: Whether it is carried out.
        text: The answer, in words.
    """

    order_id: str = ''
    kind: str = ''
    source: str = ''
    accepted: bool = False
    text: str = ''


NO_ANSWER = OrderAnswer()


class _FirstCopy(NamedTuple):
    """The first copy of an order that waits for a second one."""

    copy: int
    at: float


class OrderMemory(NamedTuple):
    """Orders that a bridge has received; times are its own monotonic ones [s].

    Attributes:
        known: Orders that were carried out or refused, oldest first.
        heard: Orders of which only one copy has come.
        current: The last order that was taken.
        given_at: When that was given.
        heard_at: When its last copy came.
        is_released: Whether its release has come.
        answered: What was answered.
    """

    known: tuple[str, ...] = ()
    heard: Mapping[str, _FirstCopy] = {}
    current: str = ''
    given_at: float = -math.inf
    heard_at: float = -math.inf
    is_released: bool = False
    answered: OrderAnswer = NO_ANSWER


class OrderOutcome(NamedTuple):
    """Outcome of a copy of an order.

    Attributes:
        memory: The memory after it.
        request: What is to be asked of the bridge; None: nothing.
        together: Whether a take-off waits for its release.
    """

    memory: OrderMemory
    request: Request | None = None
    together: bool = False


def received(
    memory: OrderMemory, order: FleetOrder, now: float, wall_ns: int, armed_at: float
) -> OrderOutcome:
    """Return the outcome of a copy of an order for the own vehicle.

    Args:
        memory: What is remembered.
        order: The copy.
        now: Monotonic time [s].
        wall_ns: The clock of the computer [ns since 1970].
        armed_at: When the vehicle was armed [monotonic s]; negative infinity: it is not armed.
    """
    if order.order_id == memory.current:
        return _take_further_copy(memory, order, now)
    if order.order_id in memory.known or order.age > order.valid_for:
        return OrderOutcome(memory)
    first = memory.heard.get(order.order_id)
    if not _is_credible(order, first, now, wall_ns):
        return OrderOutcome(memory if first else _store_first_copy(memory, order, now))
    given_at = now - order.age
    fault = _fault(memory, order, given_at, armed_at)
    if fault:
        return OrderOutcome(answered(_mark_known(memory, order), order, False, fault))
    memory = _mark_known(memory, order)._replace(
        current=order.order_id, given_at=given_at, heard_at=now, is_released=False
    )
    return OrderOutcome(memory, order.request, order.start == ASKED)


def answered(memory: OrderMemory, order: FleetOrder, accepted: bool, text: str) -> OrderMemory:
    """Return the memory with the answer of the bridge to an order."""
    kind, source = order.request.value, order.source
    answer = OrderAnswer(order.order_id, kind, source, accepted, text[:MAX_TEXT])
    return memory._replace(answered=answer)


def operator_age(memory: OrderMemory, now: float) -> float:
    """Return the time since the last copy of the order that counts [s]."""
    return now - memory.heard_at


def _take_further_copy(memory: OrderMemory, order: FleetOrder, now: float) -> OrderOutcome:
    """A further copy shows that the operator lives; one of them may bring the release."""
    if operator_age(memory, now) > OPERATOR_LOST:
        return OrderOutcome(memory)  # whatever comes now was on its way for too long
    memory = memory._replace(heard_at=now)
    if order.start != RELEASED or memory.is_released or not memory.answered.accepted:
        return OrderOutcome(memory)
    return OrderOutcome(memory._replace(is_released=True), Request.GO)


def _is_credible(order: FleetOrder, first: _FirstCopy | None, now: float, wall_ns: int) -> bool:
    """Return whether a copy was sent just now."""
    if first is not None:
        return order.copy > first.copy and now - first.at >= LIVE_GAP
    sent_ns = order.stamp_ns + round(1e9 * order.age)
    return order.request in SAFE and abs(wall_ns - sent_ns) < 1e9 * order.valid_for


def _store_first_copy(memory: OrderMemory, order: FleetOrder, now: float) -> OrderMemory:
    heard = dict(list(memory.heard.items())[-MAX_KNOWN:])
    return memory._replace(heard={**heard, order.order_id: _FirstCopy(order.copy, now)})


def _mark_known(memory: OrderMemory, order: FleetOrder) -> OrderMemory:
    heard = {key: first for key, first in memory.heard.items() if key != order.order_id}
    known = (*memory.known, order.order_id)[-MAX_KNOWN:]
    return memory._replace(known=known, heard=heard)


def _fault(memory: OrderMemory, order: FleetOrder, given_at: float, armed_at: float) -> str:
    """Return why an order is not carried out, empty if it is."""
    if given_at < memory.given_at:
        late = memory.given_at - given_at
        return f'given {late:.1f} s before the order that counts ({memory.answered.kind})'
    if given_at < armed_at:
        return f'given {armed_at - given_at:.1f} s before the vehicle was armed'
    if order.request is Request.TAKE_OFF and order.start == RELEASED:
        return 'the others were released before this vehicle was asked'
    return ''


def fields_of(order: FleetOrder) -> dict[str, str]:
    """Return the texts of a copy, for ``read_order``."""
    return {
        'order_id': order.order_id,
        'kind': order.request.value,
        'members': ','.join(order.members),
        'stamp_ns': str(order.stamp_ns),
        'age_s': f'{order.age:.3f}',
        'copy': str(order.copy),
        'start': order.start,
        'valid_for_s': f'{order.valid_for:g}',
    }


def read_order(source: str, fields: Mapping[str, str]) -> FleetOrder:
    """Return a copy of an order from its texts.

    Args:
        source: Who gives it.
        fields: Texts by name, as of ``fields_of``.

    Raises:
        MalformedOrderError: A text is missing or invalid; nothing of it counts.
    """
    names = tuple(filter(None, fields.get('members', '').split(',')))
    order_id, start = fields.get('order_id', ''), fields.get('start', '')
    if not 0 < len(order_id) <= MAX_TEXT:
        raise MalformedOrderError(f'order_id = {order_id[:40]!r} must be a short text')
    if start not in (AT_ONCE, ASKED, RELEASED):
        raise MalformedOrderError(f'start = {start[:40]!r} must be asked, released or at once')
    return FleetOrder(
        order_id,
        _request(fields.get('kind', '')),
        names,
        source[:MAX_TEXT] or 'unknown',
        _integer('stamp_ns', fields),
        _seconds('age_s', fields),
        _integer('copy', fields),
        start,
        _seconds('valid_for_s', fields),
    )


def _request(kind: str) -> Request:
    for request in ORDERED:
        if request.value == kind:
            return request
    kinds = ', '.join(known.value for known in ORDERED)
    raise MalformedOrderError(f'kind = {kind[:40]!r} must be one of {kinds}')


ORDERED = tuple(request for request in Request if request not in (Request.RELEASE, Request.GO))
"""What can be ordered; a release is part of the order to take off."""


def _integer(name: str, fields: Mapping[str, str]) -> int:
    text = fields.get(name, '')
    if text.isascii() and text.isdigit() and len(text) < 20:
        return int(text)
    raise MalformedOrderError(f'{name} = {text[:40]!r} must be a whole number')


def _seconds(name: str, fields: Mapping[str, str]) -> float:
    text = fields.get(name, '')
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if 0.0 <= value < math.inf:
        return value
    raise MalformedOrderError(f'{name} = {text[:40]!r} must be at least 0 s')
