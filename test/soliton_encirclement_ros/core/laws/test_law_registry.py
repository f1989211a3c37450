"""Laws of one's own: where they are found, and what is said of those that are none."""

import dataclasses
import signal
import sys
import threading
from pathlib import Path

import pytest

from soliton_encirclement_ros.core.errors import LawError, ScenarioError
from soliton_encirclement_ros.core.laws import law_fault
from soliton_encirclement_ros.core.laws.law_registry import LAWS
from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES, ControlParameters
)
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.core.plugins import resolved_name, short_name

PURSUIT = Path(__file__).parents[4] / 'docs' / 'pursuit.py'
TEXT = PURSUIT.read_text()
AT = '    target = view.target\n'


def written(folder: Path, text: str) -> str:
    """Return the path of a law's file."""
    path = folder / 'mine.py'
    path.write_text(text)
    return str(path)


def test_a_file_is_a_law_by_its_path_from_every_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The scenario keeps the whole path."""
    monkeypatch.chdir(PURSUIT.parent)
    flown = Scenario().with_changes({'control': {'controller': 'pursuit.py'}}, 'test')
    assert flown.control.controller == resolved_name('pursuit.py') == str(PURSUIT)
    assert LAWS.load(str(PURSUIT)).telemetry_names == ('turn',)
    assert short_name(str(PURSUIT)) == 'pursuit'
    assert record_of('control', 'pursuit.py')(controller='pursuit.py').k_pursuit == 0.3
    (tmp_path / 'pursuit.py').write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    flown = Scenario().with_changes({'control': {'controller': 'pursuit.py'}}, 'test')
    assert flown.control.controller == str(tmp_path / 'pursuit.py')


def test_one_of_two_laws_of_a_file_is_named(tmp_path: Path) -> None:
    """As of a module; tables call it by both names."""
    path = written(tmp_path, f'{TEXT}\nTWO = LAW._replace(dead_reckoning=False)')
    flown = Scenario().with_changes({'control': {'controller': f'{path}:TWO'}}, 'test')
    assert not LAWS.load(flown.control.controller).dead_reckoning
    assert short_name(flown.control.controller) == 'mine.TWO'
    with pytest.raises(LawError, match=r'mine\.py:ONE: ONE in .*/mine\.py is missing, must be a'):
        LAWS.load(f'{path}:ONE')


def test_a_name_in_a_module_is_a_law() -> None:
    """As entry points are written."""
    name = 'soliton_encirclement_ros.controllers.soliton:SOLITON'
    assert LAWS.is_foreign(name) and LAWS.load(name).telemetry_names[0] == 'u'
    assert not any(map(LAWS.is_foreign, CONTROLLER_NAMES))


def test_its_parameters_are_checked_like_ours() -> None:
    """Bounds and units are those of its own record; ours stay as they are."""
    record = record_of('control', str(PURSUIT))
    own = [name for name in declarations(record) if name not in declarations(ControlParameters)]
    assert own == ['k_pursuit', 'k_radius']
    assert declarations(record)['k_pursuit'].bound == 'above 0 1/s'
    assert record().k_pursuit == 0.3 and record().k_r == ControlParameters().k_r
    flies = {'control': {'controller': str(PURSUIT), 'k_pursuit': 0.5}}
    assert Scenario().with_changes(flies, 'test').control.k_pursuit == 0.5
    for key, value, reason in (
        ('k_pursuit', -1.0, 'k_pursuit = -1.0 must be above 0 1/s'),
        ('k_pursiut', 1.0, "unknown key 'k_pursiut'; did you mean 'k_pursuit'?"),
    ):
        wrong = {'control': {**flies['control'], key: value}}
        with pytest.raises(ScenarioError, match=r'^test: control: ') as refused:
            Scenario().with_changes(wrong, 'test')
        assert str(refused.value).endswith(reason)


@pytest.mark.parametrize(('text', 'reason'), [
    ('def step(:', ':1: SyntaxError: invalid syntax'),
    ('\nimport nowhere_at_all', ":2: ModuleNotFoundError: No module named 'nowhere_at_all'"),
    ('x = 1', ': must have one Law at its top level; there is none'),
    (f'{TEXT}\nTWO = LAW._replace()', ': must have one Law at its top level; there are 2: LAW, '
     'TWO'),
    (TEXT.replace('Memory(0.0), Parameters', "Memory('none'), Parameters"),
     'is no number; records'),
    (TEXT.replace("parameter(1.0, 'gain towards the ring', unit='1/s', above=0.0)", '1.0'),
     ': ParameterError: Parameters.k_radius is no parameter: declare it as k_radius: TYPE = '),
    (TEXT.replace('parameter(1.0', 'parameter(-1.0'),
     ': the default k_radius = -1.0 must be above 0 1/s'),
    (TEXT.replace('0.0), Parameters)', '0.0), Parameters, reset=lambda memory: 0)'),
     ': reset returned memory = 0; it must be Memory(turn)'),
    (TEXT.replace(', vz)\n', ', "up")\n'),
     ":21: step returned decision.velocity[2] = 'up'; it must be a number"),
    (TEXT.replace('gains.k_radius', 'gains.k_raduis'),
     ": AttributeError: 'Gains' object has no attribute 'k_raduis'; did you mean 'k_radius'? "
     '(mine.py:26, in step)'),
    (TEXT.replace(AT, f'{AT}    view.ring.ids[0] = 7\n'), ': TypeError: '),
    (TEXT.replace(AT, f'{AT}    raise SystemExit(1)\n'),
     ': wants to end the process by SystemExit (mine.py:23, in step)'),
    (f'{TEXT}\nraise SystemExit(0)', ':34: wants to end the process by SystemExit'),
    (TEXT.replace('def step(gains, memory, view)', 'def step(gains, memory)'),
     ': TypeError: step() takes 2 positional arguments but 3 were given (mine.py:21, in step)'),
    (TEXT.replace('Memory(0.0), Parameters', '(0.0,), Parameters'),
     ':32: LawError: the memory (0.0,) must be a NamedTuple of numbers'),
    (TEXT.replace('LAW = make_law(step, Memory(0.0), Parameters)', 'LAW = step'),
     ': must have one Law at its top level; LAW is a function: make_law makes a law of one'),
    (f'from random import random\n{TEXT.replace(", vz)", " + random(), vz)")}',
     ':22: gives two results for the same inputs'),
    (TEXT.replace('k_radius', 'k_r'), ': parameter k_r exists already; give it another name, such '
     'as k_r_mine'),
])  # fmt: skip
def test_what_is_no_law_is_named_in_one_line(tmp_path: Path, text: str, reason: str) -> None:
    """File, line and what to mend; no traceback."""
    path = written(tmp_path, text)
    with pytest.raises(ScenarioError) as refused:
        Scenario().with_changes({'control': {'controller': path}}, 'test')
    said = str(refused.value)
    assert said.startswith(f'test: control.controller: {path}') and reason in said
    assert '\n' not in said


def test_what_does_not_return_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the line in which it is caught; nothing is left of the clock."""
    monkeypatch.setattr(law_fault, 'LIMIT', 0.2)
    monkeypatch.setattr(law_fault, 'POLL', 0.05)
    monkeypatch.setattr(sys, 'gettrace', lambda: None)
    before = {*threading.enumerate()}
    loop = '    while view.now >= 0.0:\n        try:\n            len([])\n        except ' \
        'Exception:\n            pass\n'
    path = written(tmp_path, TEXT.replace(AT, f'{AT}{loop}'))
    with pytest.raises(LawError, match=r'mine\.py: does not return within .* \(mine\.py:\d'):
        LAWS.load(path)
    assert {*threading.enumerate()} <= before


def test_ctrl_c_is_no_fault_of_a_law(tmp_path: Path) -> None:
    """But a law that raises what ctrl-C does, where another handler takes ctrl-C, has one."""
    path = written(tmp_path, f'{TEXT}\nraise KeyboardInterrupt')
    with pytest.raises(KeyboardInterrupt):
        LAWS.load(path)
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        with pytest.raises(LawError, match=r':34: wants to end the process by KeyboardInterrupt$'):
            LAWS.load(path)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(('name', 'reason'), [
    ('/no/where.py', '/no/where.py: there is no such file'),
    ('nowhere:LAW', 'nowhere:LAW: nowhere cannot be imported: ModuleNotFoundError'),
    ('math:pi', 'math:pi: pi in math is 3.14159'),
    ('math:law', 'math:law: law in math is missing, must be a Law'),
    ('\nma:law', "'\\nma:law': write FILE.py or package.module:NAME in one line"),
    ('ma:law\n', "'ma:law\\n': write FILE.py or package.module:NAME in one line"),
])  # fmt: skip
def test_a_name_without_a_law_is_refused(name: str, reason: str) -> None:
    """In one line that says what to write."""
    with pytest.raises(LawError) as refused:
        LAWS.load(name)
    assert str(refused.value).startswith(reason)


def test_the_scenario_of_another_law_has_its_parameters_no_more() -> None:
    """Values of one law do not stand in the way of another."""
    flown = Scenario().with_changes({'control': {'controller': str(PURSUIT), 'k_s': 2.0}}, 'test')
    ours = flown.with_changes({'control': {'controller': 'soliton'}}, 'test')
    assert type(ours.control) is ControlParameters and ours.control.k_s == 2.0
    assert 'k_pursuit' not in dataclasses.asdict(ours.control)
