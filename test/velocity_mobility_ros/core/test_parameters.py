"""Parameter records: what is refused, in which words, and how values are shown in them."""

import dataclasses
import datetime
import math
import re
from dataclasses import dataclass
from typing import Any

import pytest
import yaml
from hypothesis import given

from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.parameter_declaration import (
    SMALLEST, Parameters, beyond, build, parameter, without_effect
)
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.core.user_errors import (
    LONGEST, ParameterError, closest, counted, cut, meant, shown
)
from velocity_mobility_ros.core.velocity_model import MobilityParameters


@dataclass(frozen=True)
class Kettle(Parameters):
    """A record with one field of every kind."""

    power: float = parameter(2000.0, 'heating power', unit='W', above=0.0, maximum=3000.0)
    cups: int = parameter(4, 'cups it holds', minimum=1)
    lag: float | None = parameter(1.0, 'lag; none: at once', unit='s', above=0.0)
    trim: float = parameter(0.0, 'calibration')
    colour: str = parameter('red', 'paint', choices=('red', 'blue'))
    times: str = parameter('', 'when it is on, such as "7..8: 1"')
    whistle: bool = parameter(True, 'whistles when done', runtime=True)


REFUSED = [
    ('power', 0.0, 'power = 0.0 must be above 0 and at most 3000 W'),
    ('power', 3000.5, 'power = 3000.5 must be above 0 and at most 3000 W'),
    ('power', math.nan, 'power = nan must be finite, above 0 and at most 3000 W'),
    ('power', 10**400, 'power = 1000000000'),
    ('power', True, 'power = True is a bool, must be a float above 0 and at most 3000 W'),
    ('power', '5', "power = '5' is a str, must be a float above 0 and at most 3000 W"),
    ('power', None, 'power = None is no value, must be a float above 0 and at most 3000 W'),
    ('cups', 0, 'cups = 0 must be at least 1'),
    ('cups', -(10**400), 'cups = -1000'),
    ('cups', 2.0, 'cups = 2.0 is a float, must be an int at least 1'),
    ('lag', 0.0, 'lag = 0.0 must be above 0 s'),
    ('lag', 'never', "lag = 'never' is a str, must be a float above 0 s"),
    ('trim', math.inf, 'trim = inf must be finite'),
    ('colour', 'green', "colour = 'green' must be one of red, blue"),
    ('times', {'7..8': 1}, "times = {'7..8': 1} is a dict, must be a text in quotes: when it"),
    ('whistle', 1, 'whistle = 1 is an int, must be a bool'),
]


@pytest.mark.parametrize(('name', 'value', 'message'), REFUSED)
def test_refused_values_name_thing_value_and_bound(name: str, value: Any, message: str) -> None:
    """At birth and through ``build`` the message is the same, after the source."""
    with pytest.raises(ParameterError) as at_birth:
        Kettle(**{name: value})
    assert str(at_birth.value).startswith(message)
    with pytest.raises(ParameterError) as built:
        build(Kettle, {name: value}, 'kitchen.yaml')
    assert str(built.value) == f'kitchen.yaml: {at_birth.value}'
    assert '\n' not in str(built.value)


@pytest.mark.parametrize(
    ('values', 'field', 'stored'),
    [
        ({'power': 1500}, 'power', 1500.0),
        ({'power': 3000.0}, 'power', 3000.0),
        ({'power': '1e3'}, 'power', 1000.0),
        ({'cups': 1}, 'cups', 1),
        ({'lag': None}, 'lag', None),
        ({}, 'power', 2000.0),
    ],
)
def test_accepted_values(values: dict, field: str, stored: Any) -> None:
    """Bounds are inclusive, whole numbers become floats, None is kept where allowed."""
    value = getattr(build(Kettle, values, 'kitchen.yaml'), field)
    assert value == stored
    assert type(value) is type(stored)


@pytest.mark.parametrize(
    'text',
    ['none', 'NONE', 'null', '~', '.nan', '.NAN', 'NaN', '', "'none'"],
)
def test_every_spelling_of_a_missing_number_is_taken(text: str) -> None:
    """As YAML reads it, and as a text that nobody has read."""
    assert build(Kettle, {'lag': yaml.safe_load(text)}, 'kitchen.yaml').lag is None
    if text.isalpha():
        assert Kettle(lag=text).lag is None


@pytest.mark.parametrize(
    ('key', 'hint'),
    [('powr', "did you mean 'power'?"), ('zzzz', 'allowed keys are power, cups'),
     (None, 'allowed keys are power, cups')],
)  # fmt: skip
def test_an_unknown_key_is_answered_with_the_nearest_or_with_all(key: Any, hint: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(f'yaml: unknown key {key!r}; {hint}')):
        build(Kettle, {key: 1.0}, 'kitchen.yaml')


@pytest.mark.parametrize(('name', 'near'), [
    ('tau', "'tau_xy' or 'tau_z'"), ('tau_yx', "'tau_xy'"),
    ('max', "'max_a' or 'max_b' or 'max_c'"), ('zzz', ''), (None, ''),
])  # fmt: skip
def test_names_that_one_may_have_meant_begin_with_it(name: Any, near: str) -> None:
    """A name without its axis is the most usual mistake."""
    known = ['tau_xy', 'tau_z', 'max_a', 'max_b', 'max_c', 'max_d']
    assert meant(name, known) == near


def test_an_angle_in_degrees_is_refused() -> None:
    """Radians within one turn, either way."""
    assert beyond(90.0, 'rad', None) == 'at most 6.28319'
    assert beyond(-90.0, 'rad', None) == 'at least -6.28319'
    assert beyond(-math.pi, 'rad', None) == ''


def test_one_thing_is_not_several() -> None:
    assert [counted(n, 'agent') for n in (0, 1, 2)] == ['0 agents', '1 agent', '2 agents']
    assert (counted(1, 'body'), counted(2, 'body')) == ('1 body', '2 bodies')


def test_replacing_checks_again() -> None:
    """A changed copy passes the same gate."""
    with pytest.raises(ParameterError, match='cups = 0 must be at least 1'):
        dataclasses.replace(Kettle(), cups=0)


@dataclass(frozen=True)
class Lid(Parameters):
    """Another record of the same node."""

    lid: bool = parameter(False, 'whether it is closed')


@dataclass(frozen=True)
class Tea(Parameters):
    """A record some of whose values count with a value of another parameter only."""

    strength: float = parameter(1.0, 'strength', minimum=0.0, only_with={'lid': True})
    guest: str = parameter('', 'who drinks it', only_with={'colour': 'blue'})


@pytest.mark.parametrize(
    ('lid', 'tea', 'lines'),
    [
        (True, {'strength': 2.0}, []),
        (False, {'strength': 1.0}, []),
        (False, {'strength': 2.0}, ['strength = 2.0 has no effect without lid = true']),
        (True, {'guest': 'Ann'}, ["guest = 'Ann' has no effect without colour = 'blue'"]),
    ],
)
def test_a_value_that_another_parameter_makes_idle_is_named(
    lid: bool, tea: dict, lines: list[str]
) -> None:
    """The other parameter may be of another record; a default is nobody's wish."""
    assert [*without_effect([Lid(lid), Tea(**tea), Kettle()]).values()] == lines


@given(ANY_NUMBER)
def test_a_float_is_stored_as_it_is_or_refused(value: float) -> None:
    """No value is bent into range."""
    try:
        assert Kettle(power=value).power == value
    except ParameterError:
        assert not SMALLEST <= value <= 3000.0


@pytest.mark.parametrize(
    ('field', 'value'),
    [('tau_xy', 0), ('tau_z', 0), ('update_rate', 0), ('max_speed_xy', -0.5),
     ('max_speed_z', -0.5), ('max_acc_xy', -0.5), ('max_acc_z', -0.5), ('tau_xy', math.inf),
     ('max_speed_xy', math.nan)],
)  # fmt: skip
def test_impossible_bodies_are_refused(field: str, value: float) -> None:
    """Negative limits and a lag of zero never reach the laws."""
    bound = '(finite, )?(above 0|at least 0(.0001)?) '
    with pytest.raises(ParameterError, match=f'^body: {field} = .* must be {bound}'):
        build(MobilityParameters, {field: value}, 'body')


@pytest.mark.parametrize(
    ('text', 'value'), [('1e1', 10.0), ('-2E0', -2.0), ('1.5e1', 15.0), ('.5e2', 50.0)]
)
def test_exponents_that_yaml_takes_for_text_are_numbers(text: str, value: float) -> None:
    """YAML 1.1 reads ``1e-3`` and ``1.5e3`` as text; people mean a number."""
    assert Kettle(trim=text).trim == value


@pytest.mark.parametrize(
    'text', ['', '1.5', 'inf', '0x1e1', '1e', '1e1 W', '1_0e1']
)
def test_other_text_stays_text(text: str) -> None:
    """Only what YAML itself means to be a number is one."""
    with pytest.raises(ParameterError, match=r'trim = .* is a str, must be a float'):
        Kettle(trim=text)


@dataclass(frozen=True)
class Lamp(Parameters):
    """A record whose bounds leave one end open."""

    wait: float = parameter(1.0, 'a wait', unit='s', above=0.0)
    speed: float = parameter(1.0, 'a speed', unit='m/s', minimum=0.0)
    gain: float = parameter(1.0, 'a gain', unit='1/s', above=0.0)
    trim: float = parameter(0.0, 'a correction')
    lag: float | None = parameter(None, 'a lag', unit='s', above=0.0)


@pytest.mark.parametrize(
    ('name', 'value', 'bound'),
    [
        ('wait', 1e300, 'at most 1e+09 s'),
        ('wait', 5e-324, 'at least 1e-12 s'),
        ('gain', 1e308, 'at most 1e+12 1/s'),
        ('gain', 1e-170, 'at least 1e-12 1/s'),
        ('trim', -1e308, 'at least -1e+12'),
    ],
)
def test_an_absurd_number_is_refused_with_name_value_and_bound(name, value, bound):
    with pytest.raises(ParameterError) as caught:
        Lamp(**{name: value})
    assert str(caught.value) == f'{name} = {value!r} must be {bound}'


@pytest.mark.parametrize(
    'values',
    [
        {'wait': 1e9, 'speed': 1e9, 'gain': 1e12, 'trim': -1e12},
        {'wait': 1e-12, 'speed': 0.0, 'gain': 1e-12, 'trim': 5e-324},
    ],
)
def test_up_to_the_bounds_all_is_taken(values):
    assert all(getattr(Lamp(**values), name) == value for name, value in values.items())


@given(ANY_NUMBER)
def test_what_is_not_refused_can_be_reckoned_with(value):
    """A duration fits into the nanoseconds of ROS, and no gain squares to 0 or to infinity."""
    if math.isfinite(value) and not beyond(value, 's', 0.0):
        assert 0 <= to_ns(value) < 2**62
    if math.isfinite(value) and not beyond(value, '1/s', 0.0):
        assert math.isfinite(value * value) and 0.0 < 1.0 / (value * value) < math.inf


@pytest.mark.parametrize(
    'value',
    [None, True, 3, -2.5, 10**70, 'two words', "it's", [1, 'a', None], {'low': 1, 'log': {}},
     (), b'x', datetime.date(2020, 1, 2), [{'a': [1]}]],
)  # fmt: skip
def test_a_short_value_is_shown_as_it_is(value):
    assert shown(value) == repr(value)


def bomb(leaf):
    for _ in range(40):
        leaf = [leaf] * 9
    return leaf


CYCLE = {}
CYCLE['itself'] = CYCLE


HUGE = 10**5000
LONG = {
    'text': 'x' * 10**6,
    'bytes': b'x' * 10**6,
    'list': list(range(10**6)),
    'aliases': bomb('x'),
    'numbers': bomb(HUGE),
    'number': HUGE,
    'key': {(HUGE,): -HUGE},
    'set': {HUGE},
    'texts': bomb('x' * 10**6),
}


@pytest.mark.parametrize('value', LONG.values(), ids=LONG)
def test_a_long_value_is_cut_and_never_written_whole(value):
    """The whole text has more characters than any memory: a test would not come to its end."""
    assert len(shown(value)) <= LONGEST + 3


def test_a_value_within_itself_and_a_narrower_place():
    assert shown(CYCLE).startswith("{'itself': {'itself': ")
    assert shown('abcdef', 4) == "'abc..."
    assert cut('abcdef', 4) == 'abcd...' and cut('abcd', 4) == 'abcd'


def test_the_nearest_name_is_told_of_texts_only():
    assert closest('sed', ['seed', 'agents']) == 'seed'
    assert closest('k_S', ['k_z', 'k_s']) == 'k_s'
    assert closest('xyz', ['seed']) is None
    assert closest(10**5000, ['seed']) is None
