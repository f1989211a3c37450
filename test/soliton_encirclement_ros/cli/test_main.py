"""The entry point: a small import, and an interrupt that never shows a traceback."""

import signal
import subprocess
import sys

import rclpy
from soliton_encirclement_ros.cli import main as entry
from support.cli import REPOSITORY, environment

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


def test_an_interrupt_while_libraries_load_ends_with_130_and_no_word():
    code = (
        'import os, signal, sys\n'
        'class Importer:\n'
        '    def find_spec(self, name, *rest):\n'
        '        if name == "soliton_encirclement_ros.cli.app":\n'
        '            os.kill(os.getpid(), signal.SIGINT)\n'
        'sys.meta_path.insert(0, Importer())\n'
        'from soliton_encirclement_ros.cli.main import main\n'
        'sys.exit(main())\n'
    )
    process = subprocess.run(
        [sys.executable, '-c', code, 'scenario', 'list'], env=environment(1), cwd=REPOSITORY,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (process.returncode, process.stderr, process.stdout) == (130, '', '')


def test_the_exit_code_is_the_command_lines(monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(sys, 'argv', ['swarm', 'fly'])
    try:
        assert entry.main() == 2
    finally:
        signal.signal(signal.SIGINT, before)
    assert not rclpy.ok()  # discovery had begun
