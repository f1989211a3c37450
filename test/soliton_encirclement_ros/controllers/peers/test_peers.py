"""All published laws: what they share with ours, and scenes where their equations break down."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.controllers import CONTROLLERS, Controller, Setup
from soliton_encirclement_ros.core import Pose, TargetState
from soliton_encirclement_ros.core.laws.law_source import has_own_parameters, is_foreign, load_law
from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES,
    PEER_NAMES,
    ControlParameters,
)
from soliton_encirclement_ros.core.scenario.control_section import control_record
from soliton_encirclement_ros.core.scenario.overrides import varied_in_vain
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.ring_scene import ORIGIN, STILL, R, even, known, made, turning
from velocity_mobility_ros.core.parameters import declarations

PEERS = pytest.mark.parametrize('name', PEER_NAMES)
FAR = st.one_of(st.floats(-1e9, 1e9), st.sampled_from([0.0, -0.0, 1e9, -1e9, 1e-320, 20.0]))


def own_parameters(name: str) -> list[str]:
    """Return the parameters that a law has and others have not."""
    every = declarations(ControlParameters)
    return [key for key in declarations(control_record(name)) if key not in every]


@pytest.mark.one_in(2)
@PEERS
@given(
    st.tuples(FAR, FAR, FAR, FAR, FAR, FAR),
    st.lists(st.tuples(FAR, FAR, FAR, FAR), max_size=5),
    st.tuples(FAR, FAR, FAR, FAR, FAR),
    st.floats(1e-300, 1e9),
)
def test_invariant_5_commands_are_finite_for_any_finite_scene(
    name: str, own: tuple, others: list[tuple], target: tuple, weight: float
) -> None:
    """Invariant 5: everything that is sound, on one spot or a million kilometres off."""
    controller, pose = made(name), Pose(own[:3], own[3:])
    there = {i: Pose((*o[:2], 0.0), (*o[2:], 0.0)) for i, o in enumerate(others, start=2)}
    said = TargetState(
        1, (*target[:2], 0.0), (*target[2:4], 0.0), ((1, weight), (2, 1.0)), target[4]
    )
    for k in range(1, 4):
        command = controller.step(known(k, pose, there, said))
        assert all(map(math.isfinite, (*command, *controller.telemetry())))


@PEERS
@pytest.mark.parametrize('others', [{}, {2: ORIGIN}, {2: (R, 0.0, 0.0), 3: (R, 0.0, 0.0)}])
@pytest.mark.parametrize('place', [ORIGIN, (R, 0.0, 0.0)], ids=['centre', 'ring'])
def test_alone_at_the_centre_or_all_on_one_spot(name: str, others: dict, place: tuple) -> None:
    """No angle, no gap, no neighbour: a command all the same, and outwards from the centre."""
    controller = made(name)
    there = {agent_id: Pose(position, ORIGIN) for agent_id, position in others.items()}
    for k in range(1, 4):
        command = controller.step(known(k, Pose(place, ORIGIN), there))
        assert all(map(math.isfinite, (*command, *controller.telemetry())))
    if place == ORIGIN:
        assert math.hypot(*command[:2]) > 1.0


@PEERS
def test_invariant_15_a_reset_forgets_everything(name: str) -> None:
    """Invariant 15: after it every bit is that of a law that was never used."""
    used, fresh = made(name), made(name)
    thetas = even(4)
    others = {i + 1: turning(thetas[i] + 0.2 * i, 0.1) for i in range(1, 4)}
    for k in range(1, 20):
        used.step(known(k, turning(thetas[0], 0.1), others))
    used.reset()
    assert (used.telemetry(), used.broadcast()) == (fresh.telemetry(), fresh.broadcast())
    for k in range(20, 25):
        seen = known(k, turning(thetas[0], 0.1), others)
        assert used.step(seen) == fresh.step(seen)


@PEERS
def test_parameters_are_those_of_the_law_and_of_no_other(name: str) -> None:
    """They are checked, changed by a scenario, and gone where another law flies."""
    record, own = control_record(name), own_parameters(name)
    assert own and declarations(record)['controller'].choices[0] == CONTROLLER_NAMES[0]
    key = own[0]
    chosen = {'control': {'controller': name, key: 0.123}}
    flown = Scenario().with_changes(chosen, 'test')
    assert getattr(flown.control, key) == 0.123
    assert not hasattr(flown.with_changes({'control': {'controller': 'soliton'}}, 'test').control,
                       key)  # fmt: skip


@PEERS
def test_its_name_and_its_place_are_one_law(name: str) -> None:
    """What a node loads by name is what simulations fly."""
    assert load_law(name) is CONTROLLERS[name].law(Setup())
    assert has_own_parameters(name) and not is_foreign(name)


@PEERS
def test_a_design_may_vary_what_other_laws_do_not_have(name: str) -> None:
    """A gain of its own is not varied in vain beside a law that has none of that name."""
    key = own_parameters(name)[0]
    points = [
        Scenario().with_changes({'control': change}, 'test')
        for change in ({'controller': name, key: 0.123}, {'controller': 'soliton'})
    ]
    assert varied_in_vain([f'control.{key}'], points) == []


@PEERS
def test_gains_of_its_own_arrive_in_flight(name: str) -> None:
    """A law that is given other gains before its first tick is one that was made with them."""
    record, own = control_record(name), own_parameters(name)
    thetas = even(5)
    others = {i + 1: turning(thetas[i] + 0.1 * i, 0.1) for i in range(1, 5)}
    pose = turning(thetas[0] + 0.4, 0.1)._replace(velocity=(1.0, 0.0, 0.0))

    def fly(controller: Controller) -> list:
        return [controller.step(known(k, pose, others)) for k in range(1, 6)]

    plain = fly(made(name))
    for key in own:
        value = 1 if key == 'modes' else 0.5 * getattr(record(), key)
        retuned = made(name)
        retuned.retune(Setup(record(controller=name, **{key: value})))
        assert fly(retuned) == fly(made(name, **{key: value})) != plain


@PEERS
def test_a_faster_target_is_fed_forward(name: str) -> None:
    """All fly along with it: the command changes by just its velocity."""
    pose, others = turning(0.3), {2: turning(2.41), 3: turning(4.47)}
    still = made(name).step(known(1, pose, others))
    gone = (1.0, -0.5, 0.0)
    place = tuple(-0.05 * v for v in gone)
    moving = STILL._replace(position=place, velocity=gone)
    along = Pose(pose.position, gone)
    there = {
        k: Pose(tuple(p - 0.05 * v for p, v in zip(other.position, gone, strict=True)), gone)
        for k, other in others.items()
    }
    fed = made(name).step(known(1, along, there, moving))
    assert [b - a for a, b in zip(still, fed, strict=True)] == pytest.approx(gone, abs=1e-9)
