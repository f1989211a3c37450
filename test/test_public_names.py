"""What the packages export: each name is there, documented, and imported only when it is used."""

import doctest
import inspect
import math
import subprocess
import sys

import numpy as np
import pytest

import soliton_encirclement_ros
import velocity_mobility_ros

PACKAGES = velocity_mobility_ros, soliton_encirclement_ros
NAMES = [(package, name) for package in PACKAGES for name in dir(package)]


@pytest.mark.parametrize(('package', 'name'), NAMES, ids=lambda one: getattr(one, '__name__', one))
def test_it_is_there_and_documented(package, name):
    found = getattr(package, name)
    if callable(found) and not isinstance(found, dict):
        assert inspect.getdoc(found)


@pytest.mark.parametrize('name', dir(soliton_encirclement_ros))
def test_what_python_users_call_has_an_example(name):
    found = getattr(soliton_encirclement_ros, name)
    if inspect.isfunction(found) or (inspect.isclass(found) and not issubclass(found, Exception)
                                     and name != 'Moment'):  # fmt: skip
        assert '>>> ' in inspect.getdoc(found)


@pytest.mark.parametrize('name', dir(velocity_mobility_ros))
def test_examples_of_the_lower_package_are_true(name):
    every = {one: getattr(velocity_mobility_ros, one) for one in dir(velocity_mobility_ros)}
    text = inspect.getdoc(every[name]) if callable(every[name]) else ''
    names = {**every, 'np': np, 'math': math}
    found = doctest.DocTestParser().get_doctest(text or '', names, name, None, 0)
    assert doctest.DocTestRunner().run(found).failed == 0
    assert found.examples or not inspect.isfunction(every[name]) or name in LONG


LONG = ('is_braking', 'read_path', 'start_state')
"""Functions whose example would need a file, or that of another one shows them."""


def test_all_of_them_are_imported_without_an_extra():
    code = "import sys; sys.modules['gymnasium'] = None; from soliton_encirclement_ros import *"
    subprocess.run([sys.executable, '-c', f'{code}; print(fly, takeoff)'], check=True)


@pytest.mark.parametrize('package', PACKAGES)
def test_another_name_is_refused(package):
    with pytest.raises(AttributeError, match=f"{package.__name__!r} has no attribute 'nothing'"):
        package.nothing  # noqa: B018


def test_importing_the_packages_imports_no_library():
    code = 'import soliton_encirclement_ros, velocity_mobility_ros, sys; print(*sys.modules)'
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    others = {'numpy', 'pandas', 'typer', 'rich', 'yaml', 'numba', 'rclpy', 'matplotlib'}
    assert others.isdisjoint(done.stdout.split())
