"""Every library that may be missing costs one line that says how to get it, no traceback."""

import subprocess
import sys

import pytest

from soliton_encirclement_ros.cli.output import explain
from support.cli import environment, only_run_folder
from support.ready import NO_HURRY, laws
from support.recorded.planted import leave_idle_bag
from support.sweeping.sweeps import fingerprints, write_sweep

__all__ = ['laws']

pytestmark = [NO_HURRY, pytest.mark.nightly]

WITHOUT = """
import sys
sys.modules[sys.argv.pop(1)] = None
from soliton_encirclement_ros.cli.{module} import {entry}
sys.exit({entry}())
"""

SHORT = ('simulate', 'still', '--duration', '1')


def without(library, *arguments, folder, module='main', entry='main', domain=0):
    """Run a command where a library is missing; return exit code, stdout and stderr lines."""
    code = WITHOUT.format(module=module, entry=entry)
    done = subprocess.run(
        [sys.executable, '-c', code, library, *map(str, arguments)], cwd=folder,
        env=environment(domain), capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr.splitlines()


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    """Return a bag of a vehicle that hovers."""
    return leave_idle_bag(tmp_path_factory.mktemp('bags') / 'idle')


@pytest.mark.parametrize('library', ['typer', 'yaml', 'numpy'])
def test_what_the_command_line_cannot_do_without_is_named(library, tmp_path):
    code, out, err = without(library, 'scenario', 'list', folder=tmp_path)
    assert (code, out, len(err)) == (2, '', 1)
    assert err[0].startswith(f'error: {library} is not installed: pip install ')


@pytest.mark.parametrize(('words', 'library'), [
    (('report', '{bag}'), 'rosbags'), (('fit', '{bag}'), 'scipy'),
    (('sweep', 'quick'), 'pandas'), (('simulate', '--format', 'parquet'), 'pyarrow'),
    (('report', 'not-read-before', '--table', 'parquet'), 'pyarrow'),
    (('sweep', 'laws', '--scheduler', 'tcp://127.0.0.1:1'), 'distributed'),
])  # fmt: skip
def test_a_verb_that_cannot_do_without_a_library_names_it(words, library, bag, tmp_path):
    words = [word.format(bag=bag) for word in words]
    code, _, err = without(library, *words, folder=tmp_path)
    assert (code, len(err)) == (2, 1)
    assert err[0].startswith('error: ') and library in err[0] and 'pip install ' in err[0]
    assert not {'runs', 'studies'} & {path.name for path in tmp_path.iterdir()}


def test_flying_with_nodes_needs_ros(tmp_path):
    code, out, err = without('rclpy', 'run', 'still', '--duration', '1', folder=tmp_path)
    assert (code, out, len(err)) == (2, '', 1)
    assert 'rclpy is not installed: ' in err[0] and 'source /opt/ros/' in err[0]
    assert not (tmp_path / 'runs').exists()


@pytest.mark.parametrize('library', ['rclpy', 'numpy'])
def test_a_node_names_what_it_lacks(library, tmp_path):
    code, out, err = without(library, folder=tmp_path, module='executables', entry='agent_node')
    assert (code, out, len(err)) == (2, '', 1)
    assert err[0].startswith(f'error: {library} is not installed: ')


def test_without_matplotlib_a_run_is_flown_and_judged(tmp_path):
    code, out, err = without('matplotlib', *SHORT, folder=tmp_path)
    assert code in (0, 1) and 'ENCIRCLED' in out
    assert len(err) == 1 and err[0].startswith('error: no pictures: matplotlib is not installed: ')
    assert (only_run_folder(tmp_path) / 'summary.json').exists()


def test_pictures_of_many_runs_are_refused_before_any_is_flown(tmp_path):
    code, _, err = without(
        'matplotlib', *SHORT, '--seeds', '2', '--pictures', folder=tmp_path
    )  # fmt: skip
    assert code == 2 and len(err) == 1 and 'matplotlib is not installed' in err[0]
    assert not (tmp_path / 'runs').exists()


@pytest.mark.parametrize(('library', 'what'), [('matplotlib', 'pictures'), ('plotly', 'page')])
def test_a_report_leaves_out_what_it_cannot_make(library, what, tmp_path):
    without('pandas', *SHORT, '--no-pictures', '--format', 'bag', folder=tmp_path)
    run = only_run_folder(tmp_path)
    code, out, err = without(library, 'report', run, folder=tmp_path)
    assert code == 0 and 'findings.json' in out
    assert len(err) == 1 and err[0].startswith(f'error: no {what}: {library} is not installed: ')
    assert (run / 'findings.json').exists()


def test_a_sweep_without_parquet_leaves_csv_tables(tmp_path):
    write_sweep(tmp_path)
    code, _, err = without('pyarrow', 'sweep', 'small.yaml', '--no-pictures', folder=tmp_path)
    assert code == 0
    assert err == ['no Parquet tables, only CSV: that takes pip install pyarrow']
    assert set(fingerprints(tmp_path / 'sweeps' / 'small')) == {'table.csv', 'statistics.csv'}


LOADED = """
import sys
from soliton_encirclement_ros.cli.main import main
code = main()
heavy = {'dask', 'matplotlib', 'orjson', 'plotly', 'rclpy', 'rosbags'}
print(*sorted(heavy & set(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ('words', 'heavy'),
    [
        ((*SHORT, '--format', 'none', '--no-pictures'), ''),
        ((*SHORT, '--seeds', '2'), 'orjson'),
        ((*SHORT, '--format', 'bag', '--no-pictures', '--telemetry-rate', '1'), 'rosbags'),
        (('sweep', 'small.yaml', '--no-pictures'), ''),
        (('sweep', 'small.yaml'), 'matplotlib'),
    ],
)
def test_only_the_libraries_that_are_used_are_loaded(tmp_path, words, heavy):
    write_sweep(tmp_path)
    done = subprocess.run(
        [sys.executable, '-c', LOADED, *words], cwd=tmp_path, env=environment(0),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr.split() == heavy.split()


def test_a_library_that_is_broken_says_why():
    error = ImportError('numpy.core.multiarray failed\nto import', name='matplotlib._path')
    assert explain(error) == (
        'matplotlib cannot be loaded (numpy.core.multiarray failed to import): pip install '
        'matplotlib'
    )


def test_a_mistake_of_our_own_stays_an_error():
    assert explain(ModuleNotFoundError('no', name='soliton_encirclement_ros.x')) is None
    assert explain(ImportError('cannot import name')) is None
