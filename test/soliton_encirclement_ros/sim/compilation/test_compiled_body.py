"""Bodies that step by machine code: those of plain Python to the bit."""

import pytest

from soliton_encirclement_ros.core.scenario.vehicle_file import find_vehicle, read_vehicle
from soliton_encirclement_ros.sim.compilation.compiled_motion import (
    CompiledBody, body_programs, make_body, stepping
)
from support.ready import NO_HURRY, laws
from velocity_mobility_ros.core.parameter_declaration import build
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.simulated_body import Body
from velocity_mobility_ros.vehicles.vehicle import VEHICLES, parameters_of

__all__ = ['laws']

pytestmark = NO_HURRY

START = (1.0, -2.0, 30.0)


def parameters(name: str, **values: float) -> MobilityParameters:
    given = {**read_vehicle(find_vehicle(name)).mobility, **values}
    return build(parameters_of(given.get('vehicle', 'kinematic')), given, name)


@pytest.mark.parametrize(
    'vehicle',
    [parameters('x500', wind_east=3.0, gust_intensity=1.0), parameters('superdroid_hd2')],
    ids=['quadrotor', 'tracked'],
)
def test_it_moves_as_in_plain_python(vehicle):
    plain, fast = (kind(vehicle, START, 0.3, 17) for kind in (Body, CompiledBody))
    for update in range(120):
        if update % 20 == 0:
            for body in (plain, fast):
                body.command((0.1 * update, -0.5, 0.2), 0.4, update % 40 == 0)
        plain.step()
        fast.step()
        assert fast.state == plain.state
        assert (fast.motion, fast.attitude) == (plain.motion, plain.attitude)
    assert fast.motion.position != START


def test_new_parameters_and_states_count():
    body = CompiledBody(parameters('x500'), START)
    body.parameters = parameters('x500', max_speed_xy=1.0)
    body.command((9.0, 0.0, 0.0), 0.0)
    for _ in range(400):
        body.step()
    assert body.motion.velocity[0] == pytest.approx(1.0, abs=0.1)
    body.state = VEHICLES['quadrotor'].at_rest(START, 0.0, 0)
    assert body.motion.position == START


def test_a_world_compiles_only_what_is_costly():
    usual, costly = MobilityParameters(), parameters('x500')
    assert type(make_body(usual, START)) is Body
    assert type(make_body(costly, START)) is CompiledBody
    assert body_programs([usual, costly, costly]) == [stepping(VEHICLES['quadrotor'])]
