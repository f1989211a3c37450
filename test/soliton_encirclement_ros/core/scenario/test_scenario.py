"""Scenario files: what is read, what is refused, and in which words."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.placement import initial_positions
from soliton_encirclement_ros.core.scenario.scenario import (
    SECTIONS, Scenario, load_scenario, scenario_from_dict
)

CONFIGURED = sorted((Path(__file__).resolve().parents[4] / 'config' / 'scenarios').glob('*.yaml'))


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str | bytes], Scenario]:
    """Return a loader of scenario text through a file called demo.yaml."""
    path = tmp_path / 'demo.yaml'

    def read(text: str | bytes) -> Scenario:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_scenario(path)

    return read


BAD_NAME = 'must be a text of at most 100 letters'

REFUSED = [
    ('runn: {}', "unknown section 'runn'; allowed sections are name, run, swarm, mobility"),
    ('design: {}', "unknown section 'design'; it looks like a sweep, which is for: swarm sweep"),
    ('fitted: {}', "unknown section 'fitted'; it looks like a vehicle, which is for: --vehicle "),
    ('1: {}', 'unknown section 1; allowed sections are name, run'),
    ('run: {sim_durations: 4}', "run: unknown key 'sim_durations'; did you mean 'sim_duration'?"),
    ('- 1\n- 2', 'a scenario is a mapping of sections, not [1, 2]'),
    ('run: 5', 'run must be a mapping of parameters, not 5'),
    ('run: {num_agents: 0}', 'run: num_agents = 0 must be at least 1 and at most 1000'),
    ('run: {num_agents: 2.0}', 'run: num_agents = 2.0 is a float, must be an int'),
    ('run: {sim_duration: .nan}', 'run: sim_duration = nan must be finite, above 0 and at most'),
    ('mobility: {tau_xy: 0}', 'mobility: tau_xy = 0.0 must be above 0 s'),
    ('run: {seed: 9007199254740993}', 'run: seed = 9007199254740993 must be at least 0 and'),
    ('control: {controller: soliton, k_splay: 0.2}',
     'control.k_splay = 0.2 is a parameter of controller splay, not of soliton: '
     'remove it, or set control.controller'),
    ('control: {controller: "a\\nb", k_splay: 0.2}',
     'control.k_splay = 0.2 is a parameter of controller splay, not of a b: '),
    ('mobility: {inertia_xx: 0.1}',
     'mobility.inertia_xx = 0.1 is a parameter of vehicle quadrotor, not of kinematic: remove'),
    ('control: {controller: pid}', "control: controller = 'pid' must be one of predictive, "),
    ('failure: {failure_enable: 1}', 'failure: failure_enable = 1 is an int, must be a bool'),
    ('swarm: {control_period: 0.025}',
     'swarm.control_period = 0.025 s must be a whole multiple (at most 1000) '
                                       'of mobility.update_rate = 0.01 s'),
    pytest.param(
        'mobility: {max_speed_xy: ' + '9' * 400 + '}',
        'mobility: max_speed_xy = 9999999999',
        id='beyond any double',
    ),
    ('name: a/b', f"name = 'a/b' {BAD_NAME}"),
    (r'name: "a\nb"', rf"name = 'a\nb' {BAD_NAME}"),
    (r'name: "a\0b"', rf"name = 'a\x00b' {BAD_NAME}"),
    ('name: ""', f"name = '' {BAD_NAME}"),
    ('run: {', 'not valid YAML: '),
    ('run: {failure_enable: !!bool x}', ''),
    ('run: {seed: !!python/object:os.system x}', 'not valid YAML: '),
    pytest.param('run: {seed: ' + '9' * 5000 + '}', 'not valid YAML: ', id='endless number'),
    pytest.param('[' * 5000, 'not valid YAML: ', id='endless nesting'),
    (b'name: caf\xe9', 'cannot read the scenario: not UTF-8 text'),
]  # fmt: skip


@pytest.mark.parametrize(('text', 'message'), REFUSED)
def test_refused_files(load: Callable, tmp_path: Path, text: str, message: str) -> None:
    """One line: the file first, then the key, the value and the bound."""
    with pytest.raises(ScenarioError) as error:
        load(text)
    line = str(error.value)
    assert line.startswith(f'{tmp_path / "demo.yaml"}: {message}')
    assert '\n' not in line
    assert line.count(str(tmp_path)) == 1


@pytest.mark.parametrize(
    ('name', 'reason'), [('absent.yaml', 'No such file or directory'), ('.', 'Is a directory')]
)
def test_unreadable_files(tmp_path: Path, name: str, reason: str) -> None:
    """The path and the reason of the machine."""
    with pytest.raises(ScenarioError, match=f'cannot read the scenario: {reason}$') as error:
        load_scenario(tmp_path / name)
    assert str(error.value).startswith(str(tmp_path))


@pytest.mark.parametrize('text', ['{}', 'run:'])
def test_everything_has_a_default(load: Callable, text: str) -> None:
    """It is named after the file."""
    assert load(text) == Scenario(name='demo')


@pytest.mark.parametrize(('text', 'reason'), [
    ('# nothing', 'is empty; for the defaults write {}'),
    ('run: {sim_duration: 0.01}', 'run.sim_duration = 0.01 s must be at least swarm.control_per'),
    ('control: {controller: Soliton}', "splay; did you mean 'soliton'?"),
])  # fmt: skip
def test_what_is_hardly_meant_is_refused(load: Callable, text: str, reason: str) -> None:
    """With what to write instead."""
    with pytest.raises(ScenarioError) as refused:
        load(text)
    assert reason in str(refused.value)


def test_values_arrive_in_their_sections(load: Callable) -> None:
    """Name, numbers, switches and a lag of none."""
    scenario = load(
        'name: calm-night_2.0\n'
        'run: {num_agents: 4, sim_duration: 2}\n'
        'mobility: {tau_z: null, update_rate: 0.02}\n'
        'swarm: {control_period: 0.1}\n'
    )
    assert scenario.name == 'calm-night_2.0'
    assert (scenario.run.num_agents, scenario.run.sim_duration) == (4, 2.0)
    assert scenario.mobility.tau_z is None
    assert (scenario.substeps, scenario.ticks) == (5, 20)
    assert list(scenario.agent_ids) == [1, 2, 3, 4]


@pytest.mark.parametrize('count', [1, 2])
def test_too_few_agents_are_warned_about(count: int) -> None:
    """One and two run, with a word about it."""
    warnings = Scenario().with_changes({'run': {'num_agents': count}}, 'x').warnings
    assert len(warnings) == 1
    assert warnings[0].startswith(f'run.num_agents = {count}: fewer than 3 agents')


def test_an_uncatchable_target_is_warned_about() -> None:
    """A target as fast as the agents is allowed, with a word about it."""
    warnings = Scenario().with_changes({'target': {'target_motion_speed_xy': 10}}, 'x').warnings
    assert len(warnings) == 1
    assert warnings[0].startswith('target.target_motion_speed_xy = 10.0 m/s: agents (mobility.max')


@pytest.mark.parametrize('means', ['max_speed_xy', 'max_acc_xy'])
def test_vehicles_that_cannot_move_are_doubtful(means: str) -> None:
    """The original takes them as well, but nobody means them."""
    warnings = Scenario().with_changes({'mobility': {means: 0}}, 'x').warnings
    assert [warning for warning in warnings if warning.startswith(f'mobility.{means} = 0: no')]


def test_changes_keep_everything_else() -> None:
    """Only what is named changes; the original is untouched."""
    base = Scenario(name='base')
    changed = base.with_changes({'run': {'seed': 5}, 'mobility': {'tau_xy': None}}, 'flags')
    assert (changed.name, changed.run.seed, changed.mobility.tau_xy) == ('base', 5, None)
    assert changed.with_changes({'run': {'seed': 0}, 'mobility': {'tau_xy': 1.0}}, 'x') == base
    assert base.run.seed == 0


@pytest.mark.parametrize(
    ('changes', 'message'),
    [
        ({'run': {'num_agents': 0}}, '^flags: run: num_agents = 0 must be at least 1'),
        ({'mobility': {'update_rate': 0.03}}, '^flags: swarm.control_period = 0.05 s must be'),
    ],
)
def test_refused_changes_name_their_source(changes: dict[str, Any], message: str) -> None:
    """What was typed on the command line is named as such."""
    with pytest.raises(ScenarioError, match=message):
        Scenario().with_changes(changes, 'flags')


def test_as_dict_and_back() -> None:
    """Plain types that give the same scenario again, as a manifest needs."""
    scenario = Scenario().with_changes({'mobility': {'tau_xy': None}, 'run': {'seed': 3}}, 'x')
    assert scenario_from_dict(scenario.as_dict(), 'other', 'manifest') == scenario
    assert set(scenario.as_dict()) == {'name', *SECTIONS}


@pytest.mark.parametrize('path', CONFIGURED, ids=lambda path: path.stem)
def test_shipped_scenarios_are_valid(path: Path) -> None:
    """Every file under config/scenarios starts without a warning, but for a pair of agents."""
    scenario = load_scenario(path)
    assert len(scenario.warnings) == (scenario.run.num_agents < 3)


def placed(**run: Any) -> dict[int, tuple[float, float, float]]:
    """Return initial positions of the default scenario with another run section."""
    return initial_positions(Scenario().with_changes({'run': run}, 'x'))


@given(st.integers(0, 10**6), st.floats(0.0, 1.0), st.booleans())
def test_agents_start_on_a_scattered_ring(seed: int, scatter: float, even: bool) -> None:
    """Every radius is within the scatter, every height zero."""
    found = placed(seed=seed, init_radius_range=scatter, init_angles_equidistant=even)
    assert list(found) == list(range(1, 11))
    for x, y, z in found.values():
        assert abs(math.hypot(x, y) / 20.0 - 1.0) <= scatter + 1e-12
        assert z == 0.0
