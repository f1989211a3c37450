"""Tables are sorted in a real browser: by mouse, by keys, what is not known last."""

import pytest
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.report import write_page
from support.recorded.browser import DESKTOP, opened
from support.recorded.recordings import body, recording_with

pytestmark = pytest.mark.nightly

AGENTS = 'table:has(caption:text-is("Agents"))'


@pytest.fixture
def table(chromium, tmp_path):
    """Return the table of five agents, one of them without a command."""
    commanded = {1: (2.0, 0.0, 0.0), 2: None, 3: (5.0, 0.0, 0.0), 9: (4.0, 0.0, 0.0),
                 10: (6.0, 0.0, 0.0)}  # fmt: skip
    bodies = [
        body(f'uav_{k}', [0.0, 1.0], (float(k) ** 2, 0.0, 5.0), (1.0, 0.0, 0.0), command)
        for k, command in commanded.items()
    ]
    recording = recording_with(*bodies, body('target', [0.0, 1.0], (0.0, 0.0, 5.0)))
    path = write_page(tmp_path / 'report.html', recording, find(recording))
    with opened(chromium, path, **DESKTOP) as page:
        yield page.locator(AGENTS)


def order(table):
    return [text.removeprefix('uav_') for text in table.locator('tbody th').all_inner_texts()]


def test_names_count_as_people_do(table):
    assert order(table) == ['1', '2', '3', '9', '10']
    head = table.get_by_role('button', name='Agent')
    head.click()
    assert order(table) == ['1', '2', '3', '9', '10']
    head.click()
    assert order(table) == ['10', '9', '3', '2', '1']


def test_the_largest_number_comes_first_and_what_is_not_known_last(table):
    head = table.get_by_role('button', name='Tracking m/s RMS')
    head.click()
    assert order(table) == ['10', '3', '9', '1', '2']
    assert table.locator('th[aria-sort=descending]').inner_text().startswith('Tracking')
    head.click()
    assert order(table) == ['1', '9', '3', '10', '2']
    assert table.locator('th[aria-sort]').count() == 1


def test_keys_sort_too(table):
    table.get_by_role('button', name='Radius error').press('Enter')
    assert table.locator('th[aria-sort=descending]').count() == 1
