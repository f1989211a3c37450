"""The contract of a vehicle, over the whole family and one that is none of ours."""

import math

import pytest
from support.vehicles.integrator import INTEGRATOR, NAME, integrator, registered
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.model import VEHICLE_NAMES, MobilityParameters
from velocity_mobility_ros.vehicles import VEHICLES, Body, Vehicle, parameters_of

__all__ = ['integrator']

FAMILY = pytest.mark.parametrize('kind', [*VEHICLES.values(), INTEGRATOR], ids=[*VEHICLES, NAME])
START = (0.0, 0.0, 5.0)


def body_of(kind: Vehicle) -> Body:
    """Return a body of some type at rest."""
    with registered():
        return Body(kind.parameters(), START)


@FAMILY
def test_time_passes_only_in_step(kind: Vehicle) -> None:
    """A command alone moves nothing."""
    body = body_of(kind)
    body.command((3.0, 0.0, 0.0), 0.2)
    assert body.motion == (START, 0.0, (0.0, 0.0, 0.0), 0.0)


@FAMILY
def test_starts_where_it_is_put(kind: Vehicle) -> None:
    """Position and heading, at rest."""
    assert kind.motion(kind.at_rest(START, 0.5, 0)) == (START, 0.5, (0.0, 0.0, 0.0), 0.0)


@FAMILY
def test_goes_where_it_is_told(kind: Vehicle) -> None:
    """After ten seconds of one command within its limits the body moves by it."""
    body = body_of(kind)
    able = body.parameters
    share = min(1.0, able.max_speed_xy / 4.0)
    wish = (3.0 * share, -2.0 * share, min(0.5, able.max_speed_z))
    body.command(wish, 0.0)
    for _ in range(1001):
        body.step()
    assert body.motion.velocity == pytest.approx(wish, abs=0.05)


@FAMILY
def test_a_command_in_the_body_frame_turns_with_the_body(kind: Vehicle) -> None:
    """Ahead of a nose that points to the north, and from there a turn to the west."""
    with registered():
        body = Body(kind.parameters(), START, math.pi / 2.0)
    body.command((2.0, 0.0, 0.0), 0.0, in_body=True)
    for _ in range(1001):
        body.step()
    assert body.motion.velocity == pytest.approx((0.0, 2.0, 0.0), abs=0.05)
    body.command((2.0, 0.0, 0.0), 0.3, in_body=True)
    for _ in range(round(math.pi / 2.0 / 0.3 / body.parameters.update_rate)):
        body.step()
    assert body.motion.velocity == pytest.approx((-2.0, 0.0, 0.0), abs=0.8)


@pytest.mark.parametrize('kind', list(VEHICLES.values()), ids=list(VEHICLES))
def test_stays_finite_and_within_speed(kind: Vehicle) -> None:
    """Neither a huge nor an undefined command breaks the limits."""
    body = body_of(kind)
    for wish in ((1e9, -1e9, 1e9), (math.nan, math.inf, -math.inf), (0.0, 0.0, 0.0)):
        body.command(wish, wish[0])
        for _ in range(300):
            body.step()
            vx, vy, vz = body.motion.velocity
            assert math.hypot(vx, vy) <= body.parameters.max_speed_xy * 1.001
            assert abs(vz) <= body.parameters.max_speed_z * 1.001
    assert all(math.isfinite(x) for x in body.motion.position)


@FAMILY
def test_all_have_the_parameters_that_agents_count_with(kind: Vehicle) -> None:
    """The record says which vehicle it is for."""
    parameters = kind.parameters()
    assert isinstance(parameters, MobilityParameters)
    assert parameters.vehicle in (*VEHICLE_NAMES, NAME)


def test_the_names_are_those_of_the_vehicles() -> None:
    """Records are declared with the names, before there are vehicles."""
    assert tuple(VEHICLES) == VEHICLE_NAMES
    assert [parameters_of(name) for name in VEHICLES] == [
        vehicle.parameters for vehicle in VEHICLES.values()
    ]


@pytest.mark.parametrize('name', ['rocket', None, 3, ['kinematic']])
def test_an_unknown_one_is_refused_by_the_record_of_all(name: object) -> None:
    """In the words of every other choice."""
    assert parameters_of(name) is MobilityParameters
    with pytest.raises(ParameterError, match=r'vehicle = .* must be .*one of kinematic'):
        MobilityParameters(vehicle=name)


def test_one_that_is_added_has_its_own_record(integrator: str) -> None:
    """Nothing but its entry is needed."""
    assert parameters_of(integrator) is INTEGRATOR.parameters
