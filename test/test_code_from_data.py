"""No code comes from data: nothing received or recorded is run, unpickled, or given to a shell."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOMS = ('soliton_encirclement_ros', 'velocity_mobility_ros', 'launch', 'bench', 'docs')

CALLS = {
    'eval', 'exec', 'compile', '__import__', 'execfile', 'os.system', 'os.popen',
    'subprocess.getoutput', 'subprocess.getstatusoutput', 'asyncio.create_subprocess_shell',
    'yaml.load', 'yaml.load_all', 'yaml.unsafe_load', 'yaml.full_load', 'pandas.read_pickle',
    'pd.read_pickle',
}  # fmt: skip
"""Functions that run or build what they are given."""

MODULES = {
    'pickle', 'cPickle', 'dill', 'cloudpickle', 'marshal', 'shelve', 'jsonpickle', 'joblib',
    'code', 'codeop', 'runpy', 'pty', 'commands',
}  # fmt: skip
"""Modules that make objects or code of bytes or texts."""

METHODS = {'exec_module', 'read_pickle', 'to_pickle'}

ALLOWED = {
    ('soliton_encirclement_ros/core/laws/record_rows.py', 'exec'):
        'writes functions of field names, which are identifiers; numba compiles no closure',
    ('velocity_mobility_ros/vehicles/batched/array_translation.py', 'exec'):
        'runs the syntax tree of a function that is loaded already, of known constructs alone',
    ('velocity_mobility_ros/vehicles/batched/array_translation.py', 'compile'):
        'the same tree',
    ('velocity_mobility_ros/core/plugins.py', 'exec_module'):
        'loads the law file that the user names; recordings may not (scenario_of_run)',
    ('velocity_mobility_ros/core/environment/parameter_files.py', 'yaml.load'):
        'SafeLoader, CSafeLoader of bags, or that of scenarios, which is derived of SafeLoader',
}  # fmt: skip
"""Uses that are safe, and why."""


def name_of(node: ast.expr) -> str:
    """Return a dotted name, empty for anything else."""
    return ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ''


def uses(text: str) -> Iterator[tuple[str, int]]:
    """Iterate over what a source uses that may make code of data, with its line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names]
            names = [node.module or ''] if isinstance(node, ast.ImportFrom) else names
            yield from ((one, node.lineno) for one in names if one.partition('.')[0] in MODULES)
        elif isinstance(node, ast.Call):
            name = name_of(node.func)
            if name in CALLS:
                yield name, node.lineno
            elif name.rpartition('.')[2] in METHODS:
                yield name.rpartition('.')[2], node.lineno
            for word in node.keywords:
                is_on = isinstance(word.value, ast.Constant) and word.value.value is False
                if word.arg in ('shell', 'allow_pickle') and not is_on:
                    yield f'{word.arg}={ast.unparse(word.value)}', node.lineno


@pytest.mark.parametrize('text', [
    'eval(x)', 'exec(x)', 'compile(x, y, z)', 'import pickle', 'from pickle import loads',
    'os.system(x)', 'subprocess.run(x, shell=True)', 'subprocess.run(x, shell=flag)',
    'yaml.load(x, y)', 'np.load(x, allow_pickle=True)', 'frame.read_pickle(x)',
    'spec.loader.exec_module(x)',
])  # fmt: skip
def test_what_makes_code_of_data_is_found(text: str) -> None:
    assert len([*uses(text)]) == 1


@pytest.mark.parametrize('text', [
    're.compile(x)', 'yaml.safe_load(x)', 'subprocess.run(x)', 'subprocess.run(x, shell=False)',
    'np.load(x, allow_pickle=False)', 'executor.execute(x)',
])  # fmt: skip
def test_what_does_not_is_left_alone(text: str) -> None:
    assert not [*uses(text)]


def test_no_code_comes_from_data_but_where_a_reason_is_given(repository: Path) -> None:
    found = {}
    for room in ROOMS:
        for path in sorted((repository / room).rglob('*.py')):
            for use, line in uses(path.read_text(encoding='utf-8')):
                found[path.relative_to(repository).as_posix(), use] = line
    assert {place: line for place, line in found.items() if place not in ALLOWED} == {}
    assert ALLOWED.keys() == found.keys()  # a reason that is not needed any more goes
