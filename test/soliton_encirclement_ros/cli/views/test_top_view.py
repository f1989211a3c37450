"""The swarm from above, in characters."""

import pytest

from soliton_encirclement_ros.cli.views.run_screen import Mark, agent_mark, top_view

RADIUS, ROWS = 20.0, 17

on_both = pytest.mark.parametrize('is_plain', [False, True])


def lines_of(*marks, is_plain=True, rows=ROWS):
    return [line.plain for line in top_view(marks, RADIUS, rows, is_plain)]


@on_both
def test_the_ring_is_dotted_and_round(is_plain):
    lines = lines_of(is_plain=is_plain)
    assert [len(line) for line in lines] == [2 * ROWS] * ROWS
    places = [(2 * (row - 8), column - 16.5) for row, line in enumerate(lines)
              for column, dot in enumerate(line) if dot != ' ']  # fmt: skip
    far = [(x * x + y * y) ** 0.5 for x, y in places]
    assert len(places) > 30
    assert max(far) - min(far) < 3.0
    assert all(dot in ' .' if is_plain else dot == ' ' or '⠀' < dot <= '⣿'
               for line in lines for dot in line)  # fmt: skip


def test_north_is_up_and_east_is_right():
    lines = lines_of(Mark(0.0, RADIUS, 'n', ''), Mark(RADIUS, 0.0, 'e', ''), Mark(0, 0, 'T', ''))
    where = {mark: (row, line.index(mark)) for row, line in enumerate(lines) for mark in line
             if mark.isalpha()}  # fmt: skip
    assert where['T'] == (8, 17)
    assert where['n'][0] < 4 and where['n'][1] == 17
    assert where['e'][0] == 8 and where['e'][1] > 26


def test_whoever_is_far_away_stands_at_the_edge_in_his_direction():
    lines = lines_of(Mark(900.0, 900.0, 'x12', ''), Mark(-900.0, 0.0, '7', ''))
    assert lines[0].endswith('x12')
    assert lines[8].startswith('7')


def test_down_and_silent_agents_are_marked_without_colour_too():
    texts = [agent_mark(12, (0.0, 0.0), down, silent, numbered).text
             for numbered in (True, False)
             for down, silent in ((False, False), (True, False), (False, True))]  # fmt: skip
    assert texts == ['12', 'x12', '?12', 'o', 'x', '?']
