"""No page keeps people out: contrast, names, roles and keys, as axe-core checks them."""

import pytest

from soliton_encirclement_ros.analysis.comparison_records import side_from_recording
from soliton_encirclement_ros.analysis.recording_comparison import compare_sides
from soliton_encirclement_ros.analysis.report.comparison_page import comparison_page
from soliton_encirclement_ros.analysis.report.page_markup import write_whole
from support.recorded.accessibility import LOOKS, barriers
from support.recorded.browser import chromium, opened, settled

__all__ = ['chromium']

OPEN_ALL = 'for (const one of document.querySelectorAll("details")) one.open = true'

pytestmark = pytest.mark.parametrize('look', LOOKS.values(), ids=LOOKS)


@pytest.fixture(scope='module')
def comparison_file(flight, findings, tmp_path_factory):
    sides = [side_from_recording(name, findings) for name in ('one', 'other')]
    path = tmp_path_factory.mktemp('page') / 'compare.html'
    return write_whole(path, comparison_page(compare_sides(sides, 'motion')))


def test_report(chromium, page_file, look):
    with opened(chromium, page_file, **look) as page:
        page.evaluate(OPEN_ALL)
        page.locator('.chip[data-name=uav_1]').click()
        page.evaluate('report.seek(8)')
        settled(page)
        assert barriers(page) == []


def test_list_of_keys(chromium, page_file, look):
    with opened(chromium, page_file, **look) as page:
        page.keyboard.press('?')
        assert barriers(page) == []


def test_comparison(chromium, comparison_file, look):
    with opened(chromium, comparison_file, **look) as page:
        page.locator('#names button').first.click()
        assert barriers(page) == []
