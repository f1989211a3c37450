"""What README.md and docs/ link to is there: files, pictures, headings."""

import re
from pathlib import Path

import pytest

from support.pages import PAGES, REPOSITORY, TUTORIALS, prose

LINK = re.compile(r'\]\((?!https?://)([^)#\s]*)(?:#([^)\s]+))?\)')
HEADING = re.compile(r'^#+ +(.+?) *$', re.MULTILINE)
SPAN = re.compile(r'`[^`]*`')


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    names = HEADING.findall(prose(str(page.relative_to(REPOSITORY))))
    plain = (re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', name).lower() for name in names)
    return {re.sub(r'[^\w\- ]', '', name).replace(' ', '-') for name in plain}


ALL = *PAGES, *TUTORIALS


@pytest.mark.parametrize('page', ALL)
def test_every_link_leads_somewhere(page: str) -> None:
    here = REPOSITORY / page
    for name, anchor in LINK.findall(SPAN.sub('', prose(page))):
        to = (here.parent / name).resolve() if name else here
        assert to.exists(), f'{page}: {name}'
        if anchor:
            assert to.suffix == '.md' and anchor in anchors(to), f'{page}: {name}#{anchor}'


def test_every_picture_of_docs_is_shown() -> None:
    """And every page is in the list of pages."""
    shown = {
        (REPOSITORY / page).parent.joinpath(name).resolve()
        for page in ALL for name, _ in LINK.findall(SPAN.sub('', prose(page))) if name
    }  # fmt: skip
    kinds = ('*.md', '*.png', '*.svg', '*.gif')
    files = {path for kind in kinds for path in (REPOSITORY / 'docs').rglob(kind)}
    assert files - shown == set()
