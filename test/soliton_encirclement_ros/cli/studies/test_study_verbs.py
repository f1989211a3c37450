"""``swarm study`` from the command to the files it leaves, for good and for bad ends."""

import csv
import hashlib
import json
import re

import pytest
from soliton_encirclement_ros.cli.studies.study_session import COPY
from soliton_encirclement_ros.sim.sweeps.run_store import DATABASE
from support.cli import start_swarm, wait_until
from support.here import swarm_here
from support.ready import laws
from support.sweeping.studies import SMALL_STUDY, write_study
from support.sweeping.sweeps import NOWHERE

__all__ = ['laws', 'swarm_here']

TABLES = {f'{name}.{kind}' for name in ('flights', 'comparisons', 'tuning')
          for kind in ('csv', 'parquet')}  # fmt: skip
RESULTS = {*TABLES, 'study.json', 'study.html'}
LONG = {'changes': {'run': {'sim_duration': 200.0, 'num_agents': 4}}, 'seeds': 6}
"""Flights that take so long that somebody can interfere."""

FEW = 'warning: 3 seeds cannot show a significant difference in 2 comparisons of a metric: use'


def digests(folder):
    """Return a digest of every result of a study by file name."""
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in RESULTS}


def rows(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def test_one_command_tunes_flies_compares_and_leaves_everything(tmp_path, swarm_here):
    write_study(tmp_path)
    done = swarm_here('study', 'run', 'small.yaml')
    assert done.code == 0
    assert done.err == f'{FEW} at least 7\n'
    lines = done.out.splitlines()
    assert lines[0] == (
        'small: tuning of 1 law x 8 flights, then 2 x 2 x 3 (laws x conditions x seeds) = 12 '
        'flights'
    )
    assert re.fullmatch(r'time: about .* from the beginning, \d+ in parallel', lines[1])
    assert [line for line in lines if line.endswith(' flights')][1:] == [
        'tuning, round 1 of 2: 6 flights', 'tuning, round 2 of 2: 2 flights', 'test: 12 flights',
    ]  # fmt: skip
    folder = tmp_path / 'studies' / 'small'
    assert {path.name for path in folder.iterdir()} == {*RESULTS, COPY, DATABASE}
    flights = rows(folder / 'flights.csv')
    assert len(flights) == 12
    assert [row['seed'] for row in flights[:3]] == ['1', '2', '3']
    tried = rows(folder / 'tuning.csv')
    assert [row['control.k_r'] == '' for row in tried] == [True, *[False] * 5]
    tuned = json.loads((folder / 'study.json').read_text())['tuned']
    best = min(tried, key=lambda row: (-int(row['flights']), float(row['cost'])))
    assert tuned[0]['cost'] == float(best['cost'])


def test_flights_are_those_of_the_tuned_gains(tmp_path, swarm_here):
    laws = {**SMALL_STUDY['laws'], 'set': {'controller': 'soliton'}}
    write_study(tmp_path)
    swarm_here('study', 'run', 'small.yaml')
    tuned = json.loads((tmp_path / 'studies/small/study.json').read_text())['tuned'][0]
    laws['set']['changes'] = tuned['gains']
    write_study(tmp_path, 'set', laws=laws)
    swarm_here('study', 'run', 'set.yaml')
    flown = rows(tmp_path / 'studies/set/flights.csv')
    tuned, known = ([{**row, 'law': ''} for row in flown if row['law'] == law]
                    for law in ('wide', 'set'))  # fmt: skip
    assert tuned == known


def test_neither_workers_nor_a_second_call_show(tmp_path, swarm_here):
    write_study(tmp_path)
    assert swarm_here('study', 'run', 'small.yaml', '--jobs', '1', '-o', 'one').code == 0
    assert swarm_here('study', 'run', 'small.yaml', '--jobs', '3', '-o', 'three').code == 0
    before = digests(tmp_path / 'one')
    assert digests(tmp_path / 'three') == before
    again = swarm_here('study', 'run', 'small.yaml', '-o', 'one')
    assert 'test: 12 flights, 12 of them kept from before' in again.out
    assert digests(tmp_path / 'one') == before


@pytest.mark.parametrize(
    'ending', ['killed', pytest.param('interrupted', marks=pytest.mark.nightly)]
)
def test_a_study_that_is_stopped_goes_on_to_the_same_bytes(tmp_path, swarm_here, ending):
    write_study(tmp_path, **LONG)
    folder = tmp_path / 'studies' / 'small'
    words = ('study', 'run', 'small.yaml', '--jobs', '2')
    with start_swarm(*words, domain=NOWHERE, folder=tmp_path, name='stopped') as process:
        journal = folder / f'{DATABASE}-wal'
        wait_until(lambda: journal.exists() and journal.stat().st_size > 30_000, 'some flights')
        if ending == 'killed':
            process.popen.kill()
            process.end()
        else:
            process.interrupt()
            assert process.end() == 130
            assert process.err.endswith(
                'error: interrupted; finished flights are kept in studies/small: the same command '
                'resumes the study\n'
            )
    assert not (folder / 'study.json').exists()
    again = swarm_here('study', 'run', 'small.yaml')
    assert again.code == 0
    assert 'kept from before' in again.out
    assert swarm_here('study', 'run', 'small.yaml', '-o', 'whole').code == 0
    assert digests(folder) == digests(tmp_path / 'whole')


def test_a_dry_run_writes_nothing(tmp_path, swarm_here):
    write_study(tmp_path)
    done = swarm_here('study', 'run', 'small.yaml', '--dry-run')
    assert done.code == 0 and 'time: about' in done.out
    assert [path.name for path in tmp_path.iterdir() if path.name[0] != '.'] == ['small.yaml']


def test_json_is_all_that_is_printed(tmp_path, swarm_here):
    write_study(tmp_path)
    content = json.loads(swarm_here('study', 'run', 'small.yaml', '--json').out)
    assert (content['study'], content['flights'], content['failed']) == ('small', 12, 0)
    assert {path.rpartition('/')[2] for path in content['files']} == RESULTS
    assert [one['metric'] for one in content['laws']] == ['E_wgap', 'E_r', 'min_separation']


def test_show_prints_the_result_and_writes_markdown_with_pictures(tmp_path, swarm_here):
    write_study(tmp_path)
    said = swarm_here('study', 'run', 'small.yaml').out
    shown = swarm_here('study', 'show', 'studies/small')
    assert shown.code == 0 and shown.out.strip() in said
    done = swarm_here('study', 'show', 'studies/small', '--markdown', 'page.md')
    files = done.out.split()
    assert files[0] == 'page.md' and len(files) == 5
    page = (tmp_path / 'page.md').read_text()
    assert all(f']({name})' in page and (tmp_path / name).is_file() for name in files[1:])


def test_bad_input_ends_in_one_line_before_anything_is_made(tmp_path, swarm_here):
    write_study(tmp_path, laws={'soliton': {}, 'solitone': {}}, tuning=None)
    done = swarm_here('study', 'run', 'small.yaml')
    assert done.code == 2
    assert done.err.startswith('error: small.yaml: ') and done.err.count('\n') == 1
    assert "controller = 'solitone' must be one of" in done.err
    assert not (tmp_path / 'studies').exists()


def test_a_folder_with_another_study_or_a_sweep_is_refused(tmp_path, swarm_here):
    write_study(tmp_path)
    swarm_here('study', 'run', 'small.yaml', '-o', 'here')
    write_study(tmp_path, seeds={'first': 1, 'count': 4})
    done = swarm_here('study', 'run', 'small.yaml', '-o', 'here')
    assert (done.code, done.err.splitlines()[-1]) == (2, (
        'error: --out here: holds another study, study.yaml differs from small.yaml: use another '
        'folder, or remove this one'
    ))  # fmt: skip
    (tmp_path / 'there').mkdir()
    (tmp_path / 'there' / 'sweep.yaml').write_text('')
    done = swarm_here('study', 'run', 'small.yaml', '-o', 'there')
    assert (done.code, done.err) == (
        2, 'error: --out there: holds a sweep: use another folder\n'
    )  # fmt: skip


@pytest.mark.parametrize(('words', 'line'), [
    (('run', 'nothing'), 'nothing: no such study file; included studies: quick, real_vehicles'),
    (('show', 'nowhere'), 'nowhere: has no study.json: name the folder of a finished study'),
    (('show', '.', '--markdown', 'a.txt'), '--markdown a.txt: the name must end in one of .md'),
    (('run', 'small.yaml', '-o', 'small.yaml'), 'small.yaml is not a folder'),
])  # fmt: skip
def test_bad_words_end_in_one_line(tmp_path, swarm_here, words, line):
    write_study(tmp_path)
    done = swarm_here('study', *words)
    assert done.code == 2
    assert line in done.err and done.err.count('\n') == 1
