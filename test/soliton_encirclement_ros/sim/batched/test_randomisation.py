"""Parameters around nominal ones."""

import math

import numpy as np
import pytest
from soliton_encirclement_ros.sim.batched import BatchedVehicle, randomised
from soliton_encirclement_ros.sim.batched.errors import BatchError
from support.vehicles.batches import LIBRARIES, flat
from velocity_mobility_ros.vehicles import VEHICLES

KIND = VEHICLES['quadrotor']
NOMINAL = KIND.parameters()
START = np.tile((0.0, 0.0, 5.0), (200, 1))


def test_every_body_and_field_has_its_own_factor() -> None:
    """Uniform within the width."""
    found = randomised(NOMINAL, {'mass': 0.2, 'drag_x': 0.5}, 2000, 3)
    masses = np.array([one.mass for one in found]) / NOMINAL.mass
    drags = np.array([one.drag_x for one in found]) / NOMINAL.drag_x
    assert masses.min() == pytest.approx(0.8, abs=1e-3)
    assert masses.max() == pytest.approx(1.2, abs=1e-3)
    assert drags.std() == pytest.approx(0.5 / math.sqrt(3.0), rel=0.05)
    assert abs(np.corrcoef(masses, drags)[0, 1]) < 0.1
    assert {one.drag_y for one in found} == {NOMINAL.drag_y}


def test_a_field_depends_on_the_seed_and_its_own_width_alone() -> None:
    """Another field beside it does not shift its numbers."""
    one = randomised(NOMINAL, {'mass': 0.2}, 5, 3)
    other = randomised(NOMINAL, {'drag_x': 0.1, 'mass': 0.2}, 5, 3)
    assert [p.mass for p in one] == [p.mass for p in other]
    assert [p.mass for p in one] != [p.mass for p in randomised(NOMINAL, {'mass': 0.2}, 5, 4)]


@pytest.mark.parametrize('library', LIBRARIES)
def test_without_width_all_are_nominal_to_the_bit(library: str) -> None:
    """Also after a flight with other parameters: the nominal ones are kept."""
    wish = np.random.default_rng(0).normal(0.0, 3.0, (200, 3))
    plain, zero, wide = (BatchedVehicle(KIND, NOMINAL, START, xp=library) for _ in range(3))
    wide.randomise({'mass': 0.3}, 1)
    zero.randomise({'mass': 0.3, 'motor_rise': 0.2}, 1)
    zero.randomise({'mass': 0.0, 'motor_rise': 0.0}, 2)
    for _ in range(30):
        for batch in (plain, zero, wide):
            batch.step(wish)
    states = [[b.xp.to_numpy(one).tobytes() for one in flat(b.state)] for b in (plain, zero, wide)]
    assert states[0] == states[1] != states[2]


@pytest.mark.parametrize(
    ('widths', 'message'),
    [
        ({'wings': 0.1}, "'wings' cannot be randomised; known: .*mass"),
        ({'gust_seed': 0.1}, "'gust_seed' cannot be randomised"),
        ({'mass': 1.0}, 'width of mass = 1.0, must be at least 0 and below 1'),
        ({'mass': math.nan}, 'width of mass = nan'),
        ({'ground': 0.1}, 'ground = none cannot be randomised; give it a value'),
        ({'update_rate': 0.5}, 'randomised parameters are refused: .*; take less width'),
    ],
)
def test_what_cannot_be_is_refused(widths: dict[str, float], message: str) -> None:
    """In one line."""
    with pytest.raises(BatchError, match=message) as caught:
        randomised(NOMINAL, widths, 10, 0)
    assert '\n' not in str(caught.value)
