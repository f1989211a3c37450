"""The ground that a bridge which is started in flight takes over: the right one, or none."""

import math
from typing import NamedTuple

import pytest
from hypothesis import given, settings, strategies as st

from velocity_mobility_ros.autopilot.autopilot_reports import (
    LocalPosition, Mode, Reference, Resets, VehicleStatus
)
from velocity_mobility_ros.autopilot.ground_memory import (
    NO_STORED_GROUND, GroundMemory, memory_of, of_text, restore_ground, to_text
)
from velocity_mobility_ros.autopilot.swarm_frame import FrameParameters, SwarmFrame, updated

PLACE = Reference(5_000_000, 47.3977, 8.5456, 488.0)
HOW = FrameParameters(origin_latitude=47.3977, origin_longitude=8.5456, origin_altitude=488.0)
AMSL = FrameParameters(
    origin_latitude=47.3977, origin_longitude=8.5456, z_offset_mode='amsl', origin_altitude=488.0
)
KEPT = GroundMemory(1.5, 12, 70_000_000, 4, PLACE)


def status(armed_us=KEPT.armed_us, system_id=KEPT.system_id):
    return VehicleStatus(
        0.0, armed_us > 0, Mode.HOLD, Mode.HOLD, system_id=system_id, armed_us=armed_us
    )


def report(z=11.5, z_jumps=KEPT.z_jumps, delta_z=0.0, reference=PLACE):
    return LocalPosition(
        0.0, (0.0, 0.0, z), (0.0, 0.0, 0.0), 0.0, resets=Resets(z=z_jumps, delta_z=delta_z),
        reference=reference,
    )  # fmt: skip


def seen(frame, local, told, kept='', how=HOW):
    frame = updated(how, frame, local, not told.is_armed)
    return restore_ground(how, frame, local, told, kept)


def started(local=None, told=None, kept=KEPT, how=HOW):
    """Return the frame of a bridge that is started now."""
    return seen(SwarmFrame(), local or report(), told or status(), kept, how)


def test_a_bridge_that_is_started_in_the_same_flight_knows_the_ground():
    frame = started()
    assert (frame.ground, frame.fault) == (1.5, '')
    assert memory_of(HOW, frame, status()) == KEPT
    assert seen(frame, report(z_jumps=13, delta_z=2.0), status()).ground == 3.5


@pytest.mark.parametrize(('before', 'now'), [(12, 13), (255, 0)])
def test_one_jump_meanwhile_moves_it(before, now):
    kept = KEPT._replace(z_jumps=before)
    frame = started(report(z_jumps=now, delta_z=-0.5), kept=kept)
    assert (frame.ground, frame.fault) == (1.0, '')
    assert memory_of(HOW, frame, status()) == kept._replace(ground=1.0, z_jumps=now)


@pytest.mark.parametrize(
    ('changed', 'words'),
    [
        ({'told': status(armed_us=70_000_001)}, 'the kept height is of another flight'),
        ({'told': status(system_id=5)}, 'the kept height is of system 4, not 5'),
        ({'local': report(z_jumps=11)}, 'has jumped 255 times since'),
        ({'local': report(z_jumps=13, delta_z=math.nan)}, 'jumped by an unknown amount'),
        ({'local': report(reference=PLACE._replace(altitude=488.5))}, 'origin of the local'),
        ({'kept': KEPT._replace(reference=None)}, 'origin of the local'),
        (
            {'kept': NO_STORED_GROUND},
            'since the start, and no height was kept for this flight; let it',
        ),
        ({'kept': ''}, 'since the start; let it land, or set z_offset_mode to amsl'),
    ],
)
def test_of_anything_else_nothing_is_used_and_the_reason_is_told(changed, words):
    frame = started(**changed)
    assert math.isnan(frame.ground) and words in frame.fault
    assert memory_of(HOW, frame, changed.get('told', status())) is None


def test_an_autopilot_that_does_not_tell_its_flights_is_not_believed():
    armed = VehicleStatus(0.0, True, Mode.HOLD, Mode.HOLD)
    for kept in (KEPT, NO_STORED_GROUND, KEPT._replace(armed_us=0, system_id=0)):
        assert 'does not tell which flight this is' in started(told=armed, kept=kept).fault
    stood = seen(SwarmFrame(), report(z=0.0), status(armed_us=0))
    assert memory_of(HOW, seen(stood, report(), armed), armed) is None


def test_it_is_decided_when_the_origin_is_known():
    waiting = started(report(reference=None))
    assert math.isnan(waiting.ground) and not waiting.forgotten
    assert seen(waiting, report(), status(), KEPT).ground == 1.5
    how = FrameParameters(origin_mode='mocap')
    frame = started(report(reference=None), kept=KEPT._replace(reference=None), how=how)
    assert (frame.ground, frame.fault) == (1.5, '')


def test_who_stands_needs_no_memory_and_leaves_one_from_the_arming_on():
    stood = started(report(z=0.25), status(armed_us=0))
    assert (stood.ground, stood.fault) == (0.25, '')
    assert memory_of(HOW, stood, status(armed_us=0)) is None
    flying = seen(stood, report(z=9.0), status(), KEPT)
    assert memory_of(HOW, flying, status()) == KEPT._replace(ground=0.25)
    assert memory_of(AMSL, flying, status()) is None


def test_after_an_arming_that_went_unheard_the_ground_is_not_known():
    """The vehicle has landed and started anew while the link was down: who knows where."""
    flying = seen(started(report(z=0.0), status(armed_us=0)), report(), status())
    again = seen(flying, report(), status(armed_us=99_000_000), KEPT)
    assert math.isnan(again.ground) and 'of another flight' in again.fault
    stood = seen(again, report(z=2.0), status(armed_us=0), KEPT)
    assert (stood.ground, stood.fault, stood.forgotten) == (2.0, '', '')


def test_a_memory_as_a_text_there_and_back():
    for one in (KEPT, KEPT._replace(reference=None)):
        assert of_text(to_text(one)) == one


@pytest.mark.parametrize('text', [
    '', '[]', '{}', to_text(KEPT)[:-9], to_text(KEPT).replace('1.5', 'NaN'), '[' * 100_000,
    to_text(KEPT).replace('1.5', '"1.5"'), to_text(KEPT).replace('70000000', '-1'),
    to_text(KEPT).replace('12', 'true'), to_text(KEPT).replace('488.0', 'Infinity'),
    to_text(KEPT).replace('ground', r'gro\nund'),
])  # fmt: skip
def test_any_other_text_is_none(text):
    words = r'not as it was written|is no count|is no finite number'
    with pytest.raises(ValueError, match=words) as found:
        of_text(text)
    assert '\n' not in str(found.value)


BOOTS = 64


class Autopilot(NamedTuple):
    """An autopilot, and what is true of the ground below it."""

    now: int = BOOTS
    boots: int = 0
    armed_us: int = 0
    ground: float = 0.0
    z: float = 0.0
    z_jumps: int = 0
    delta_z: float = 0.0
    reference: Reference = PLACE

    @property
    def reports(self):
        resets = Resets(z=self.z_jumps, delta_z=self.delta_z)
        local = LocalPosition(
            0.0, (0.0, 0.0, self.z), (0.0, 0.0, 0.0), 0.0, resets=resets, reference=self.reference
        )
        return local, status(self.armed_us)


def happens(pilot, event, amount, rng):
    """Return the autopilot after an event; time goes on, and no two boots share one [us]."""
    pilot = pilot._replace(now=pilot.now + BOOTS * rng.randint(1, 10**6))
    if event == 'climb':
        return pilot._replace(z=pilot.z + amount) if pilot.armed_us else pilot
    if event == 'jump':
        return _jumped(pilot, amount)
    if event == 'origin':  # the estimator need not count that as a jump
        moved = PLACE._replace(stamp=pilot.now)
        return pilot._replace(ground=pilot.ground + amount, z=pilot.z + amount, reference=moved)
    if event == 'land':  # somewhere else
        return pilot._replace(armed_us=0, ground=pilot.ground + amount, z=pilot.ground + amount)
    if event == 'fly anew':
        landed = happens(pilot, 'land', amount, rng)
        return landed._replace(armed_us=landed.now + BOOTS)
    start = BOOTS * rng.randint(1, 10**4) + pilot.boots + 1  # boots, and flies
    origin = PLACE._replace(stamp=start)
    return Autopilot(start, pilot.boots + 1, start + BOOTS, amount, amount, 0, 0.0, origin)


def _jumped(pilot, by):
    return pilot._replace(
        ground=pilot.ground + by, z=pilot.z + by, delta_z=by, z_jumps=(pilot.z_jumps + 1) % 256
    )


AMOUNTS = st.sampled_from([-8.0, -0.5, 0.25, 2.0])
FLIGHTS = 'climb', 'jump', 'land', 'fly anew', 'boot'
HEARD = st.lists(st.tuples(st.sampled_from(FLIGHTS), AMOUNTS), max_size=3)
UNHEARD = st.lists(st.tuples(st.sampled_from(('origin', 'jump', *FLIGHTS)), AMOUNTS), max_size=3)


@given(
    st.lists(st.tuples(HEARD, UNHEARD), min_size=1, max_size=3), st.randoms(use_true_random=False)
)
@settings(max_examples=300)
def test_a_bridge_that_dies_and_comes_back_at_any_time_knows_the_true_ground_or_none(flights, rng):
    """Whatever happens while none runs, and whatever file an earlier flight has left behind."""
    pilot, file, begun = Autopilot(), NO_STORED_GROUND, 'fly anew'
    for heard, unheard in flights:
        frame, kept = SwarmFrame(), file
        for event, amount in [(begun, 0.0), *heard]:
            pilot = happens(pilot, event, amount, rng)
            if not pilot.armed_us or event in ('fly anew', 'boot'):  # it is seen on the ground
                frame = seen(frame, pilot.reports[0], status(0), kept)
                file = NO_STORED_GROUND
            local, told = pilot.reports
            frame = seen(frame, local, told, kept)
            assert math.isnan(frame.ground) or frame.ground == pilot.ground
            file = memory_of(HOW, frame, told) or file
        begun = 'climb'
        for event, amount in unheard:
            pilot = happens(pilot, event, amount, rng)
