"""Wrong usage and wrong input: exit code 2 and one line that says what to mend."""

import sys
from pathlib import Path

import pytest

from soliton_encirclement_ros.cli.app import VERBS, run_command_line
from soliton_encirclement_ros.cli.runs import run_verb, simulate_verb
from support.cli import but_unfiltered, run_swarm
from support.here import swarm_here
from velocity_mobility_ros.core.environment import ros_environment

__all__ = ['swarm_here']

BAD_FILES = {
    'wrong_section': ('swarn: {}', "unknown section 'swarn'"),
    'wrong_value': ('run: {num_agents: 0}', 'num_agents = 0 must be at least 1'),
    'invalid_yaml': ('[' * 5000, 'not valid YAML'),
    'null_in_name': ('name: "a\\0b"', 'name = '),
}

BAD_OPTIONS = [
    (('study', 'laws'), "No such command 'study'. Did you mean 'sweep'?"),
    (('run', 'demo', '--agents', '1000000'), 'at most 1000'),
    (('run', 'demo', '--agents', 'ten'), '--agents'),
    (('run', 'demo', '--duration', 'nan'), 'sim_duration = nan must be '),
    (('run', 'demo', '--seed', '-1'), 'seed = -1 must be at least 0'),
    (('run', 'demo', '--real-time-factor', '-1'), 'real_time_factor = -1.0 must be at least 0'),
    (('run', 'demo', '--set', 'run.sed=1'), "run: unknown key 'sed'; did you mean 'seed'?"),
    (('run', 'demo', '--set', 'run.rng=reference'), 'cannot share; use `swarm simulate`'),
    (('run', 'demo', '--agents', '4', '--set', 'run.num_agents=3'), 'contradict each other'),
    (
        ('run', 'demo', '--real-time', '--real-time-factor', '3'),
        'exclude each other: the factor is for lockstep only',
    ),
    (
        ('run', 'demo', '--real-time', '--set', 'run.real_time_factor=2'),
        'the factor is for lockstep only',
    ),
    (('run', 'demo', '--controller', 'magic'), "controller = 'magic' must be one of predictive"),
    (('run', 'demo', '--processes', '0'), "processes = '0' must be per-agent or a whole number"),
    (('run', 'demo', '--agents', '3', '--processes', '7'), 'exceeds the 6 nodes of the run'),
    (('run', 'demo', '--set', 'safety.fence=0 0, 9 0, 9 9'), 'outside of safety.fence'),
    (('run', 'demo', '--set'), "'--set' requires an argument"),
    (('run', 'demo', 'extra'), 'unexpected extra argument'),
    (('run', 'demoo'), 'demoo: no such scenario file; did you mean demo? included scenarios: '),
    (('run', ''), 'no such scenario file'),
    (('run', 'demoo\n'), "'demoo\\n': no such scenario file; its name is one line"),
    (('run', 'laws'), 'laws: no such scenario file; laws is a sweep, which is for: swarm sweep '),
    (('simulate', 'demo', '--vehicle', 'pair'), 'pair is a scenario, which is for: swarm run FI'),
    (('simulate', 'lossy_radio', '--agents', '40000'), 'which takes 45 GB for the links'),
    (('simulate', 'demo', '--format', 'none', '--telemetry-rate', '2'), 'no telemetry to thin'),
    (('simulate', 'demo', '--format', 'xlsx'), "format 'xlsx' must be one of csv, parquet, bag"),
    (('simulate', 'demo', '--telemetry-rate', '7'), 'nearest: 6.66667 or 10'),
    (('simulate', 'demo', '--telemetry-rate', '0'), 'telemetry rate 0 Hz: must be the control'),
    (
        ('simulate', 'demo', '--telemetry-rate', '0.001', '--seeds', '3'),
        'no sample in 90 s; at least',
    ),
    (
        ('simulate', 'demo', '--controller', 'all', '--set', 'control.controller=soliton'),
        '--controller all and --set control.controller=soliton exclude each other',
    ),
    (('simulate', 'demo', '--controller', 'magic'), "controller = 'magic' must be one of"),
    (('simulate', 'demo', 'demoo'), 'demoo: no such scenario file'),
    (('simulate', 'demo', '--seed', str(2**53), '--seeds', '2'), f'seed = {2**53 + 1} must be'),
    (
        ('simulate', 'demo', '--seeds', '3', '--set', 'safety.fence=0 0, 9 0, 9 9'),
        'outside of safety.fence',
    ),
    (('simulate', 'demo', '--study', '--agents', '5000', '--duration', '9000'), 'takes 50 GB'),
    (('simulate', 'demo', '--seeds', '0'), '0 is not in the range'),
    (('simulate', 'demo', '--seeds', '10001'), '10001 is not in the range'),
    (('simulate', 'demo', '--jobs', '0'), '--jobs'),
    (('simulate', 'demo', '--set', 'run.seed=' + '3' * 900, '--seed', '1'), 'contradict each'),
    (('sweep', 'laws', '--jobs', '2', '--scheduler', 'tcp://here:1'), '--jobs 2 and --scheduler'),
    (('compare', 'a', 'b', '--page', 'x.png'), '--page x.png: the name must end in one of .html'),
    (('fit', 'a', '--out', 'x.png'), '--out x.png: the name must end in one of .yaml, .yml'),
    (('report', 'x' * 300), ': cannot read: File name too long'),
    (('flie',), "No such command 'flie'"),
    (('scenario', 'check'), 'Missing argument'),
    (('--fast',), 'No such option'),
]

OUR_TYPES = [
    (('simulate', 'demo', '--seed', '9' * 90), 'seed = 999'),
    (('report', ''), 'is empty: name a file or folder'),
    (('simulate', '--out', 'a\udcff'), r"'a\udcff' is not UTF-8 text: give another name"),
    (('simulate', '--vehicle', ''), "'--vehicle': is empty: give a value, or leave it out"),
]
"""What options of our types refuse; that every option is of them is shown beside them."""

VERBS_WITH_HELP = [(), *((name,) for name in VERBS), ('scenario', 'check')]


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
    monkeypatch.setattr(run_verb, 'fly', lambda *_: pytest.fail('the run was started'))
    for name in ('load_code_or_interpret', '_fly_one', 'fly_many'):
        monkeypatch.setattr(simulate_verb, name, lambda *_: pytest.fail('a run was started'))

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


@pytest.mark.parametrize(('arguments', 'expected'), [*BAD_OPTIONS, *OUR_TYPES])
def test_bad_usage_is_refused_in_one_line(swarm, tmp_path, arguments, expected):
    code, err = swarm(*arguments)
    assert code == 2
    assert_one_line(err, expected)
    assert not (tmp_path / 'runs').exists()


@pytest.mark.parametrize(
    'arguments',
    [('run', 'demo'), ('simulate', 'demo', '--publish'), ('record',), ('stop',),
     ('fly', 'status')],
    ids=' '.join,
)  # fmt: skip
def test_where_nobody_would_ever_be_heard_nothing_is_waited_for(swarm, monkeypatch, arguments):
    monkeypatch.setattr(ros_environment, 'interfaces', lambda: [])
    code, err = swarm(*arguments)
    assert code == 2
    assert_one_line(err, 'no network interface is up with an IPv4 address, not even lo')


def test_an_unwritable_out_folder_is_refused_in_one_line(swarm, tmp_path):
    (tmp_path / 'file').write_text('')
    code, err = swarm('run', 'demo', '--out', 'file/below')
    assert code == 2
    assert_one_line(err, 'cannot write the run folder')


@pytest.mark.parametrize('words', [
    'simulate demo --controller {}.py', 'simulate demo --set paths.target_path={}',
    'simulate {}', 'simulate demo --vehicle {}.yaml', 'sweep {}.yaml', 'report {}',
    'report {} --code {}.py', 'report {} --write-map {}', 'compare {} {}', 'fit {}',
    'security enclave {} {}', 'security revoke {} uav_1', 'fly takeoff --places {}',
])  # fmt: skip
def test_a_name_that_is_too_long_for_a_file_is_refused_in_one_line(swarm, words):
    code, err = swarm(*words.format(*['9' * 300] * 2).split())
    assert code == 2
    assert_one_line(err, '9' * 20)


@pytest.mark.parametrize(
    ('arguments', 'domain_id', 'expected'),
    [
        (('run', 'no-such-scenario'), None, 'no such scenario file'),
        (('run', '--speed'), None, 'No such option'),
        (('run', 'demo', '--duration', '1'), '500', 'ROS_DOMAIN_ID'),
    ],
)
def test_the_process_itself_ends_with_one_line(tmp_path, domain, arguments, domain_id, expected):
    process = run_swarm(*arguments, domain=domain_id or domain, folder=tmp_path)
    assert process.popen.returncode == 2
    assert_one_line(process.err, expected)
    assert process.out == ''


@pytest.mark.parametrize('verb', VERBS_WITH_HELP, ids=' '.join)
def test_every_verb_has_help_in_both_spellings(monkeypatch, capsys, verb):
    for option in ('-h', '--help'):
        monkeypatch.setattr(sys, 'argv', ['swarm', *verb, option])
        assert run_command_line() == 0
        out, err = capsys.readouterr()
        assert out.lstrip().startswith('Usage: ') and ' '.join(verb) in out
        assert ('Show this message' in out, err) == (True, '')


@pytest.mark.parametrize('arguments', [(), ('scenario',)])
def test_without_a_verb_the_help_is_shown(swarm_here, arguments):
    done = swarm_here(*arguments)
    assert (done.code, 'Usage:' in done.out, 'error: ' in done.err) == (2, True, False)


def test_the_version_is_printed(swarm_here):
    done = swarm_here('--version')
    assert (done.code, bool(done.out.strip()), done.err) == (0, True, '')
