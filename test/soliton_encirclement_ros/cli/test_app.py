"""Wrong usage and wrong input: exit code 2 and one line that says what to mend."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from soliton_encirclement_ros.cli import app, run
from soliton_encirclement_ros.cli.app import run_command_line
from support.cli import SWARM, but_unfiltered, environment, run_swarm

BAD_FILES = {
    'wrong_section': ('swarn: {}', "unknown section 'swarn'"),
    'wrong_key': ('run: {sim_durations: 3.0}', "did you mean 'sim_duration'?"),
    'number_as_key': ('run: {7: 3.0}', 'unknown key 7'),
    'wrong_type': ('run: {num_agents: many}', "run: num_agents = 'many' is a str"),
    'text_as_switch': ("failure: {failure_enable: 'yes'}", "failure_enable = 'yes' is a str"),
    'half_an_agent': ('run: {num_agents: 2.5}', 'num_agents = 2.5 is a float'),
    'no_agents': ('run: {num_agents: 0}', 'num_agents = 0 must be at least 1'),
    'negative_agents': ('run: {num_agents: -3}', 'num_agents = -3 must be at least 1'),
    'negative_limit': ('mobility: {max_speed_xy: -1.0}', 'max_speed_xy = -1.0 must be at least 0'),
    'negative_acceleration': ('mobility: {max_acc_z: -0.1}', 'max_acc_z = -0.1 must be at least'),
    'no_lag': ('mobility: {tau_xy: 0.0}', 'tau_xy = 0.0 must be above 0 s'),
    'not_a_number': ('swarm: {encirclement_radius: .nan}', 'encirclement_radius = nan must be'),
    'endless': ('run: {sim_duration: .inf}', 'sim_duration = inf must be finite, above 0'),
    'odd_period': ('swarm: {control_period: 0.055}', 'must be a whole multiple'),
    'section_as_list': ('run: [1, 2]', 'run must be a mapping of parameters'),
    'list': ('[1, 2]', 'a scenario is a mapping of sections'),
    'text': ('once upon a time', 'a scenario is a mapping of sections'),
    'invalid_yaml': ('run: {a: [1', 'not valid YAML'),
    'tab': ('run:\n\tseed: 1', 'not valid YAML'),
    'object': ('run: !!python/object:os.system {}', 'not valid YAML'),
    'impossible_date': ('run: {seed: 2020-13-45}', 'not valid YAML'),
    'wrong_tag': ('run: {seed: !!int one}', 'not valid YAML'),
    'wrong_timestamp': ('run: {seed: !!timestamp now}', 'not valid YAML'),
    'deep': ('[' * 5000, 'not valid YAML'),
    'slash_in_name': ('name: a/b', "name = 'a/b' must be"),
    'null_in_name': ('name: "a\\0b"', 'name = '),
    'newline_in_name': ('name: "a\\nb"', 'name = '),
    'long_name': ('name: ' + 'x' * 300, 'must be a text of at most 100 letters'),
    'other_controller': ('control: {controller: magic}', "controller = 'magic' must be one of"),
}

LONG = 'x' * 300

BAD_OPTIONS = [
    (('run', 'demo', '--agents', '0'), 'num_agents = 0 must be at least 1'),
    (('run', 'demo', '--agents', '-1'), 'num_agents = -1 must be at least 1'),
    (('run', 'demo', '--agents', '1000000'), 'at most 1000'),
    (('run', 'demo', '--agents', 'ten'), '--agents'),
    (('run', 'demo', '--duration', '0'), 'sim_duration = 0.0 must be above 0 '),
    (('run', 'demo', '--duration', 'nan'), 'sim_duration = nan must be '),
    (('run', 'demo', '--seed', '-1'), 'seed = -1 must be at least 0'),
    (('run', 'demo', '--seed', str(10**30)), f'seed = {10**30} must be'),
    (('run', 'demo', '--real-time-factor', '-1'), 'real_time_factor = -1.0 must be at least 0'),
    (('run', 'demo', '--set', 'nonsense'), "--set 'nonsense': write SECTION.KEY=VALUE"),
    (('run', 'demo', '--set', 'run.seed'), "--set 'run.seed': write SECTION.KEY=VALUE"),
    (('run', 'demo', '--set', 'runn.seed=1'), 'with a section among run, swarm'),
    (('run', 'demo', '--set', 'run.sed=1'), "run: unknown key 'sed'; did you mean 'seed'?"),
    (('run', 'demo', '--set', 'run.seed=[1'), 'not valid YAML'),
    (('run', 'demo', '--set', 'run.seed=2020-13-45'), 'not valid YAML'),
    (('run', 'demo', '--set', 'run.seed=one'), "seed = 'one' is a str"),
    (('run', 'demo', '--set', 'mobility.tau_xy=0'), 'tau_xy = 0.0 must be above 0 s'),
    (('run', 'demo', '--set', 'mobility.max_acc_xy=-2'), 'max_acc_xy = -2.0 must be at least 0'),
    (('run', 'demo', '--set', 'mobility.update_rate=1.0e-320'), 'update_rate'),
    (('run', 'demo', '--set', 'swarm.control_period=1.0e-12'), 'control_period'),
    (('run', 'demo', '--set', 'run.rng=reference'), 'cannot share; use `swarm simulate`'),
    (('simulate', 'partition', '--set', 'run.rng=reference'), 'remove one of the two'),
    (('simulate', 'lossy_radio', '--agents', '40000'), 'which takes 32 GB for the links'),
    (('run', 'demo', '--agents', '4', '--set', 'run.num_agents=3'), 'contradict each other'),
    (
        ('run', 'demo', '--real-time', '--real-time-factor', '3'),
        'exclude each other: the factor is for lockstep only',
    ),
    (
        ('run', 'demo', '--real-time', '--set', 'run.real_time_factor=2'),
        'the factor is for lockstep only',
    ),
    (('simulate', 'demo', '--format', 'none', '--telemetry-rate', '2'), 'no telemetry to thin'),
    (
        ('simulate', 'demo', '--controller', 'all', '--set', 'control.controller=soliton'),
        '--controller all and --set control.controller=soliton exclude each other',
    ),
    (('sweep', 'laws', '--jobs', '2', '--scheduler', 'tcp://here:1'), '--jobs 2 and --scheduler'),
    (('compare', 'a', 'b', '--picture', 'x.mcap'), '--picture x.mcap: the name must end in one'),
    (('compare', 'a', 'b', '--page', 'x.png'), '--page x.png: the name must end in one of .html'),
    (('fit', 'a', '--picture', '.mcap'), '--picture .mcap: the name must end in one of .png'),
    (('fit', 'a', '--out', 'x.png'), '--out x.png: the name must end in one of .yaml, .yml'),
    (('run', 'demo', '--set'), "'--set' requires an argument"),
    (('run', 'demo', '--speed', '3'), 'No such option'),
    (('run', 'demo', 'extra'), 'unexpected extra argument'),
    (('run', 'demoo'), 'demoo: no such scenario file; included scenarios: '),
    (('run', ''), 'no such scenario file'),
    (('report', LONG), ': cannot read: File name too long'),
    (('fit', LONG), ': cannot read: File name too long'),
    (('compare', LONG, 'b'), ': cannot read: File name too long'),
    (('sweep', LONG), ': cannot read: File name too long'),
    (('simulate', '--vehicle', LONG), ': cannot read: File name too long'),
    (('run', 'demo', '--agents', '1_0'), "'1_0' is not a valid integer"),
    (('simulate', 'demo', '--duration', '1_0'), "'1_0' is not a number"),
    (('simulate', 'demo', '--seed', '٣'), "'٣' is not a valid integer"),
    (('simulate', 'demo', '--seed', '9' * 5000), '999... is not a valid integer'),
    (('simulate', 'demo', '--seed', '9' * 90), 'seed = 999'),
    (('simulate', 'demo', '--seeds', '0'), '0 is not in the range'),
    (('simulate', 'demo', '--seeds', '٣'), "'٣' is not a valid integer"),
    (('simulate', 'demo', '--set', 'run.seed=' + '3' * 900, '--seed', '1'), 'contradict each'),
    (('simulate', 'demo', '--set', 'run.seed=0x' + 'f' * 400, '--seed', '1'), 'contradict each'),
    (('simulate', 'demo', '--set', 'run.seed=0x' + 'f' * 4000), 'is longer than 1000 characters'),
    (('simulate', 'demo', '--set', 'run.seed=!!int ""'), 'not valid YAML'),
    (('simulate', 'demo', '--set', 'run.seed=017'), 'write 17'),
    (('report', 'a', '--between', '１..２'), 'must be A..B in s'),
    (('report', 'a', '--between', '1_0..2_0'), 'must be A..B in s'),
    (('report', 'a', '--radius', '1_0'), "'1_0' is not a number"),
    (('report', ''), 'is empty: name a file or folder'),
    (('fit', 'a', '--picture', ''), 'is empty: name a file or folder'),
    (('compare', 'a', ''), 'is empty: name a file or folder'),
    (('sweep', 'laws', '--out', ''), 'is empty: name a file or folder'),
    (('simulate', '--out', ''), 'is empty: name a file or folder'),
    (('scenario', 'copy', 'demo', ''), 'is empty: name a file or folder'),
    (('record', '--out', ''), 'is empty: name a file or folder'),
    (('simulate', '--out', 'a\udcff'), r"'a\udcff' is not UTF-8 text: give another name"),
    (('simulate', '--vehicle', ''), "'--vehicle': is empty: give a value, or leave it out"),
    (('run', 'demo', '--vehicle', ''), "'--vehicle': is empty: give a value, or leave it out"),
    (('sweep', 'laws', '--scheduler', ''), "'--scheduler': is empty: give a value"),
    (('run', 'demo', '--real-time-factor', '٣'), "'٣' is not a number"),
    (('run', 'demo', '--real-time-factor', '1_0'), "'1_0' is not a number"),
    (('record', '--duration', '١'), "'١' is not a number"),
    (('record', '--duration', '１'), "'１' is not a number"),
    (('record', '--duration', '5\n'), r"'5\n' is not a number"),
    (('record', '--max-size', '٣'), "'٣' is not a number"),
    (('run', 'demo', '--set', 'safety.fence=0 0, 1 0, 1 1'), 'outside of safety.fence'),
    (('flie',), "No such command 'flie'"),
    (('scenario', 'chek', 'demo'), "No such command 'chek'"),
    (('scenario', 'check'), 'Missing argument'),
    (('scenario', 'check', 'demoo'), 'no such scenario file'),
    (('--fast',), 'No such option'),
]


VERBS = [
    (), ('run',), ('simulate',), ('sweep',), ('report',), ('compare',), ('record',), ('fit',),
    ('warm-up',), ('scenario',), ('scenario', 'list'), ('scenario', 'check'),
    ('scenario', 'parameters'), ('scenario', 'show'), ('scenario', 'copy'),
]  # fmt: skip


def assert_one_line(err: str, expected: str) -> None:
    err = but_unfiltered(err)
    assert err.startswith('error: ')
    assert err.count('\n') == 1
    assert expected in err
    assert 'Traceback' not in err
    assert len(err) < 1500


@pytest.fixture
def swarm(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> object:
    """Return the command line as a function of its arguments, giving exit code and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, '_fly', lambda *_: pytest.fail('the run was started'))

    def call(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, 'argv', ['swarm', *arguments])
        code = run_command_line()
        return code, capsys.readouterr().err

    return call


@pytest.mark.parametrize(('content', 'expected'), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_scenario_file_is_named_with_what_is_wrong(swarm, tmp_path, content, expected):
    path = tmp_path / 'bad.yaml'
    path.write_text(content)
    code, err = swarm('run', str(path))
    assert code == 2
    assert_one_line(err, expected)
    assert str(path) in err


@pytest.mark.parametrize(('arguments', 'expected'), BAD_OPTIONS)
def test_bad_usage_is_refused_in_one_line(swarm, tmp_path, arguments, expected):
    code, err = swarm(*arguments)
    assert code == 2
    assert_one_line(err, expected)
    assert not (tmp_path / 'runs').exists()


@pytest.mark.parametrize(
    ('name', 'expected'),
    [
        ('missing.yaml', 'missing.yaml: no such scenario file'),
        ('.', '.: is a folder; name a scenario file'),
        ('binary.yaml', 'not UTF-8 text'),
        ('utf16.yaml', 'not UTF-8 text'),
        ('null.yaml', 'not valid YAML'),
        ('/proc/self/mem', 'cannot read the scenario'),
    ],
)
def test_an_unreadable_file_is_refused_in_one_line(swarm, tmp_path, name, expected):
    (tmp_path / 'binary.yaml').write_bytes(bytes(range(256)))
    (tmp_path / 'utf16.yaml').write_text('run: {}', encoding='utf-16')
    (tmp_path / 'null.yaml').write_bytes(b'run: {}\0')
    code, err = swarm('run', name)
    assert code == 2
    assert_one_line(err, expected)


@pytest.mark.parametrize('out', ['file', 'file/below', 'file/far/below', '/proc/swarm'])
def test_an_unwritable_out_folder_is_refused_in_one_line(swarm, tmp_path, out):
    (tmp_path / 'file').write_text('')
    code, err = swarm('run', 'demo', '--out', out)
    assert code == 2
    assert_one_line(err, 'cannot write the run folder')


@pytest.mark.one_in(4)
@pytest.mark.parametrize('domain', ['abc', '500', '-1', '1.5'])
@pytest.mark.ros
def test_a_bad_domain_is_refused_in_one_line(tmp_path, domain):
    process = run_swarm('run', 'demo', '--duration', '1', domain=domain, folder=tmp_path)
    assert process.popen.returncode == 2
    assert_one_line(process.err, 'ROS_DOMAIN_ID')


@pytest.mark.parametrize(
    ('arguments', 'expected'),
    [
        (('run', 'no-such-scenario'), 'no such scenario file'),
        (('run', 'demo', '--agents', '0'), 'num_agents = 0'),
        (('flie',), "No such command 'flie'"),
        (('run', '--speed'), 'No such option'),
    ],
)
def test_the_process_itself_ends_with_one_line(tmp_path, domain, arguments, expected):
    process = run_swarm(*arguments, domain=domain, folder=tmp_path)
    assert process.popen.returncode == 2
    assert_one_line(process.err, expected)
    assert process.out == ''


@pytest.mark.parametrize('option', ['-h', '--help'])
@pytest.mark.parametrize('verb', VERBS, ids=' '.join)
def test_every_verb_has_help_in_both_spellings(monkeypatch, capsys, verb, option):
    monkeypatch.setattr(sys, 'argv', ['swarm', *verb, option])
    assert run_command_line() == 0
    out, err = capsys.readouterr()
    assert out.lstrip().startswith('Usage: ') and ' '.join(verb) in out
    assert ('Show this message' in out, err) == (True, '')


@pytest.mark.parametrize('arguments', [(), ('scenario',)])
def test_without_a_verb_the_help_is_shown(tmp_path, domain, arguments):
    process = run_swarm(*arguments, domain=domain, folder=tmp_path)
    assert 'Usage:' in process.out
    assert process.popen.returncode == 2
    assert 'error: \n' not in process.err


def test_the_version_is_printed(tmp_path, domain):
    process = run_swarm('--version', domain=domain, folder=tmp_path)
    assert process.popen.returncode == 0
    assert process.out.strip()
    assert process.err == ''


NO_UTF_8 = {'LC_ALL': 'C', 'PYTHONUTF8': '0', 'PYTHONCOERCECLOCALE': '0'}


def test_a_name_that_the_locale_has_no_bytes_for(tmp_path):
    (tmp_path / 'own.yaml').write_text('name: Größe-日本', encoding='utf-8')
    done = subprocess.run(
        [*SWARM, 'simulate', 'own.yaml', '--duration', '0.1', '--format', 'none'],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**environment(0), **NO_UTF_8},
    )  # fmt: skip
    lines = [line for line in done.stderr.splitlines() if not line.startswith('compiling')]
    assert (done.returncode, done.stdout, len(lines)) == (2, '', 1)
    assert lines[0].startswith("error: '\\xf6\\xdf' cannot be written in this locale (")
    assert lines[0].endswith('): use one with UTF-8, such as LC_ALL=C.UTF-8')
    assert os.listdir(tmp_path / 'runs') == []


def test_a_text_that_is_none_is_no_fault_of_the_locale(monkeypatch):
    monkeypatch.setattr(app, 'app', lambda **_: '\udcff'.encode())
    with pytest.raises(UnicodeEncodeError):
        run_command_line()
