"""What does not fit into a machine is refused, what hardly does is warned about."""

import pytest

from soliton_encirclement_ros.cli.runs import batch_runs, run_verb, sweep_session
from soliton_encirclement_ros.cli.runs.run_start import check_machine, wall_time
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.machine_resources import Needs
from support.cli import start_swarm, wait_until
from support.here import swarm_here
from support.ready import NO_HURRY, laws
from support.sweeping.sweeps import write_sweep

__all__ = ['laws', 'swarm_here']

SMALL = 10e9, 5e9


@pytest.mark.parametrize(
    ('needs', 'words'),
    [
        (Needs(11e9, 0.0, 0.0), 'takes about 11.0 GB of memory, 10.0 GB are free'),
        (Needs(11e9, 0.0, 0.0, 204), 'takes about 11.0 GB of memory in 204 processes, 10.0 GB'),
        (Needs(0.0, 6e9, 0.0), 'takes about 6.0 GB of disk space, 5.0 GB are free'),
    ],
)
def test_what_cannot_fit_is_refused_with_what_there_is(needs, words):
    with pytest.raises(RunError) as caught:
        check_machine(needs, SMALL, '9 agents', 'fly fewer')
    assert str(caught.value).startswith(f'9 agents: {words}')
    assert str(caught.value).endswith('; fly fewer')


@pytest.mark.parametrize(
    ('needs', 'words'),
    [
        (Needs(8e9, 0.0, 0.0), 'takes about 8.0 GB of memory, 10.0 GB are free'),
        (Needs(0.0, 4e9, 0.0), 'takes about 4.0 GB of disk space, 5.0 GB are free'),
        (Needs(1e6, 0.0, 0.0, 120), 'takes 120 processes; DDS has ports for 119 of one machine'),
    ],
)
def test_what_hardly_fits_is_warned_about(needs, words, capsys):
    check_machine(needs, SMALL, '9 agents', 'fly fewer')
    err = capsys.readouterr().err
    assert err.startswith(f'warning: 9 agents: {words}') and err.endswith('; fly fewer\n')
    assert err.count('\n') == 1


def test_what_fits_has_no_word(capsys):
    check_machine(Needs(1e9, 1e9, 60.0, 14), SMALL, '10 agents', 'fly fewer')
    assert capsys.readouterr().err == ''


def test_what_nobody_knows_is_no_doubt(capsys):
    check_machine(Needs(1e15, 1e15), (None, None), '9 agents', 'fly fewer')
    assert capsys.readouterr().err == ''


def test_times_are_rounded():
    assert [wall_time(t) for t in (89.0, 91.0, 5400.0)] == ['89 s', '2 min', '1.5 h']


@pytest.mark.parametrize(
    ('place', 'words'),
    [
        (run_verb, ('run', 'still')),
        (batch_runs, ('simulate', 'still')),
        (sweep_session, ('sweep', 'small.yaml')),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else '',
)
def test_each_verb_refuses_what_does_not_fit(swarm_here, monkeypatch, tmp_path, place, words):
    monkeypatch.setattr(place, 'this_machine', lambda _: (1e6, 1e6))
    write_sweep(tmp_path)
    done = swarm_here(*words)
    assert done.code == 2
    assert 'takes about' in done.err and ' of memory' in done.err
    assert done.err.splitlines()[-1].startswith('error: ')
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


@pytest.mark.nightly
@NO_HURRY
def test_ctrl_c_is_answered_while_a_hundred_thousand_agents_fly(tmp_path, laws):
    arguments = ('--agents', '100000', '--format', 'none', '--pictures', '--duration', '20')
    with start_swarm('simulate', 'still', *arguments, domain=1, folder=tmp_path) as process:
        wait_until(lambda: '/ 20 s' in process.out, 'the flight', 300.0)
        process.interrupt()
        assert process.end() == 130
