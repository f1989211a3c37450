"""The entry point: small imports, no verb before it is used, no traceback at an interrupt."""

import signal
import subprocess
import sys
from unittest.mock import Mock

import pytest
import rclpy

from soliton_encirclement_ros.cli import app, main as entry
from soliton_encirclement_ros.cli.app import VERBS, load
from support.cli import REPOSITORY, environment
from support.signals import handlers_kept, signal_at_import

HEAVY = ('rclpy', 'numpy', 'typer', 'rich', 'rosbags', 'matplotlib')


def test_importing_it_loads_nothing_heavy():
    code = (
        'import sys, soliton_encirclement_ros.cli.main; '
        f'print([name for name in {HEAVY} if name in sys.modules])'
    )
    said = subprocess.run(
        [sys.executable, '-c', code], env=environment(1), cwd=REPOSITORY, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    assert said.stdout.strip() == '[]'


def test_pictures_do_not_depend_on_what_the_environment_says_of_them():
    code = (
        'import sys; from soliton_encirclement_ros.cli.main import main; sys.argv[1:] = ["-h"]; '
        'main(); import soliton_encirclement_ros.analysis.plots.run_plots'
    )
    subprocess.run(
        [sys.executable, '-c', code], env={**environment(1), 'MPLBACKEND': 'foo'}, check=True,
        cwd=REPOSITORY, stdout=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.parametrize(('number', 'in_init'), [(signal.SIGINT, True), (signal.SIGTERM, False)])
@pytest.mark.parametrize(('module', 'words'), [
    ('soliton_encirclement_ros.cli.app', 'scenario list'), ('rclpy', 'stop --within 0.2'),
    ('soliton_encirclement_ros.cli.operator.operator_nodes', 'stop --within 0.2'),
    ('rclpy', 'topics'), ('rclpy', 'doctor'), ('sros2', 'security enclave keys package.xml'),
])  # fmt: skip
def test_a_signal_while_libraries_load_ends_with_130_and_no_word(
    number, in_init, module, words, domain
):
    code = signal_at_import(module, number, in_init) + (
        'from soliton_encirclement_ros.cli.main import main; sys.exit(main())'
    )
    process = subprocess.run(
        [sys.executable, '-c', code, *words.split()], env=environment(domain), cwd=REPOSITORY,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (process.returncode, process.stderr, process.stdout) == (130, '', '')


def test_ctrl_c_while_a_law_loads_ends_with_130_and_no_word(tmp_path):
    law = tmp_path / 'mine.py'
    law.write_text('import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n')
    code = 'import sys; from soliton_encirclement_ros.cli.main import main; sys.exit(main())'
    words = 'simulate', '--set', f'control.controller={law}', '--out', str(tmp_path / 'run')
    process = subprocess.run(
        [sys.executable, '-c', code, *words], env=environment(1), cwd=REPOSITORY,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (process.returncode, process.stderr, process.stdout) == (130, '', '')


def test_ctrl_c_while_a_verb_loads_a_library_ends_with_130(monkeypatch):
    error = ImportError('initialization failed')
    error.__cause__ = KeyboardInterrupt()  # of a verb with Python's own handler
    monkeypatch.setattr(app, 'run_command_line', Mock(side_effect=error))
    monkeypatch.setattr(sys, 'argv', ['swarm', 'report'])
    with handlers_kept():
        assert entry.main() == 130


def test_the_exit_code_is_the_command_lines(monkeypatch):
    monkeypatch.setattr(sys, 'argv', ['swarm', 'fly'])
    with handlers_kept():
        assert entry.main() == 2
    assert not rclpy.ok()  # discovery had begun


PLAIN = """
import sys
from soliton_encirclement_ros.cli.main import main
code = main()
tops = {name.partition('.')[0] for name in sys.modules}
ours = 'soliton_encirclement_ros.cli.'
verbs = {name.removeprefix(ours) for name in sys.modules if name.startswith(ours)}
print(sorted((tops & LIBRARIES) | (verbs & VERBS)), file=sys.stderr)
sys.exit(code)
"""
LIBRARIES = {
    'dask', 'matplotlib', 'mcap', 'numba', 'numpy', 'orjson', 'pandas', 'plotly', 'pyarrow',
    'rclpy', 'rosbags', 'scipy', 'transforms3d', 'yaml',
}  # fmt: skip


@pytest.mark.parametrize('words', [('--help',), ('--version',), ('flie',), ()])
def test_the_help_loads_no_verb_and_no_library(words: tuple[str, ...]) -> None:
    modules = {place.partition(':')[0] for place, _ in VERBS.values()}
    code = PLAIN.replace('LIBRARIES', repr(LIBRARIES)).replace('VERBS', repr(modules))
    done = subprocess.run(
        [sys.executable, '-c', code, *words], env=environment(1), cwd=REPOSITORY,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr.splitlines()[-1] == '[]'


@pytest.mark.ros
def test_an_order_to_stop_waits_for_no_library_of_numbers(domain: int) -> None:
    code = PLAIN.replace('LIBRARIES', repr(LIBRARIES - {'rclpy', 'yaml'})).replace('VERBS', '{0}')
    done = subprocess.run(
        [sys.executable, '-c', code, 'stop', '--within', '0.2'], env=environment(domain),
        cwd=REPOSITORY, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr.splitlines()[-1] == '[]'


@pytest.mark.parametrize('name', VERBS)
def test_the_line_of_a_verb_is_the_first_of_its_own_help(name: str) -> None:
    command = load(name, None)
    assert command.name == name
    assert ' '.join(command.help.split('\n\n')[0].split()) == VERBS[name][1]
    assert not {one.name for one in command.params} & {'install_completion', 'show_completion'}


@pytest.mark.parametrize(
    ('words', 'out'),
    [(('--json',), '"result"\n'), ((), 'of a law\n"result"\nof a library\n')],
)
def test_what_libraries_and_laws_print_is_not_beside_json(words, out):
    code = (
        'import os, sys; from soliton_encirclement_ros.cli import main as entry, output; '
        'entry._run = lambda: print("of a law") or output.print_json("result") '
        'or os.write(1, b"of a library\\n") and 0; '
        'sys.exit(entry.main())'
    )
    done = subprocess.run(
        [sys.executable, '-c', code, *words], env=environment(1), cwd=REPOSITORY, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.stdout == out
    for other in ('of a law', 'of a library'):
        assert (other in done.stderr) == bool(words)
