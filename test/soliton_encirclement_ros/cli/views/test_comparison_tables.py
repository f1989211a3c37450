"""Comparisons as tables."""

import io
import math

import pytest
from rich.console import Console

from soliton_encirclement_ros.cli.views.comparison_tables import number, print_comparison
from soliton_encirclement_ros.experiments.law_comparison import compare
from support.recorded.runs import a_run

BOLD = '\x1b[1;32m'


def printed(runs, **options):
    out = io.StringIO()
    console = Console(file=out, **{'width': 200, **options})
    for comparison in compare(runs):
        print_comparison(comparison, console)
    return out.getvalue()


def test_the_best_is_bold_and_nobody_else():
    runs = [a_run('one', 1, 0.4), a_run('two', 1, 0.2)]
    text = printed(runs, force_terminal=True, color_system='standard')
    bold = [line for line in text.splitlines() if BOLD in line]
    (e_gap,) = [line for line in bold if 'E_gap' in line]
    assert e_gap.count(BOLD) == 1
    assert f'{BOLD}0.200' in e_gap


@pytest.mark.parametrize('width', [60, 120])
def test_on_a_narrow_terminal_controllers_are_shown_in_parts(width):
    names = [f'law_{letter}' for letter in 'abcdefgh']
    runs = [a_run(name, seed, 0.1) for name in names for seed in (1, 2)]
    text = printed(runs, force_terminal=True, width=width, color_system=None)
    assert all(len(line) <= width for line in text.splitlines())
    assert all(name in text for name in names)
    assert '…' not in text


def test_a_name_with_brackets_is_shown_as_it_is():
    text = printed([a_run('one', 1), a_run('one', 2, name='runs/[red]x', interrupted=True)])
    assert 'left out: runs/[red]x: interrupted' in text


def test_numbers_are_short_and_never_is_a_word():
    found = [number(value) for value in (0.0, 0.12345, 0.00123, -0.5, 12.345, math.inf)]
    assert found == ['0.000', '0.123', '1.2e-03', '-0.500', '12.3', 'never']
