"""A function that calls itself, directly or by others, is named before it is compiled."""

import pytest

from soliton_encirclement_ros.sim.compilation import call_graph
from soliton_encirclement_ros.sim.compilation.compiled import NotCompiledError, pointed


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n > 0 and is_even(n - 1)


def test_functions_that_call_each_other_are_named(monkeypatch):
    """A law may be written so; it does not compile."""
    monkeypatch.setattr(call_graph, 'ADOPTED', {__name__.partition('.')[0]})
    line = is_even.__code__.co_firstlineno
    with pytest.raises(NotCompiledError, match=rf'^test_call_graph\.py:{line}: is_even calls '):
        pointed(is_even, 3)
