"""The verbs are imported when they are used; the help says the same as if all were."""

import subprocess
import sys

import pytest
from soliton_encirclement_ros.cli.verb_group import VERBS, load
from support.cli import REPOSITORY, environment

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
    modules = {verb.module for verb in VERBS.values()}
    code = PLAIN.replace('LIBRARIES', repr(LIBRARIES)).replace('VERBS', repr(modules))
    done = subprocess.run(
        [sys.executable, '-c', code, *words], env=environment(1), cwd=REPOSITORY,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr.splitlines()[-1] == '[]'


@pytest.mark.parametrize('name', VERBS)
def test_the_line_of_a_verb_is_the_first_of_its_own_help(name: str) -> None:
    command = load(name, None)
    assert command.name == name
    assert ' '.join(command.help.split('\n\n')[0].split()) == VERBS[name].help
