"""A real browser for tests of pages: Debian's chromium, driven by playwright."""

import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = '/usr/bin/chromium'
QUIET = (
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
)
DESKTOP = {'viewport': {'width': 1400, 'height': 900}}
PHONE = {
    'viewport': {'width': 390, 'height': 844},
    'device_scale_factor': 2,
    'is_mobile': True,
    'has_touch': True,
}


NEXT_FRAME = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))'


class Browser:
    """Chromium with tabs that are used again: there a page loads in a third of the time."""

    def __init__(self, chromium: Any) -> None:
        """Begin without tabs.

        Args:
            chromium: Playwright's browser.
        """
        self._chromium = chromium
        self._free: dict[bool, list[Any]] = {False: [], True: []}

    @contextmanager
    def tab(
        self,
        viewport: Mapping[str, int] = DESKTOP['viewport'],
        color_scheme: str = 'light',
        **kind: Any,
    ) -> Iterator[Any]:
        """Lend a tab without a page.

        Args:
            viewport: Its size [px].
            color_scheme: ``light`` or ``dark``.
            **kind: The rest of ``PHONE``, or nothing.
        """
        free = self._free[bool(kind)]
        page = free.pop() if free else self._chromium.new_context(**kind).new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme, media='screen')
        yield page
        page.evaluate('localStorage.clear()')
        page.goto('about:blank')
        free.append(page)


@pytest.fixture(scope='module')
def chromium() -> Iterator[Browser]:
    """Return a browser, the same for all tests of a file.

    Not for the whole session: playwright's event loop runs in the thread of the tests as long as
    it is there, and other libraries then refuse to start theirs.
    """
    if shutil.which(CHROMIUM) is None:
        pytest.skip(f'no browser at {CHROMIUM}: apt install chromium')
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=list(QUIET)
        )
        yield Browser(browser)
        browser.close()


@contextmanager
def opened(browser: Browser, path: Path, **look: Any) -> Iterator[Any]:
    """Open a file in the browser; in the end nothing may have gone wrong in it.

    Args:
        browser: The fixture.
        path: The file.
        **look: How the tab looks: ``DESKTOP``, ``PHONE``, ``color_scheme``.
    """
    wrong: list[str] = []
    with browser.tab(**look) as page:
        notes = {
            'console': lambda said: wrong.append(f'{said.type}: {said.text}'),
            'pageerror': lambda error: wrong.append(f'error: {error}'),
            'request': lambda asked: _note_request(wrong, asked.url, path),
            'dialog': lambda dialog: wrong.append(f'dialog: {dialog.message}'),
        }
        for event, note in notes.items():
            page.on(event, note)
        load(page, path)
        yield page
        for event, note in notes.items():
            page.remove_listener(event, note)
    assert not wrong


def load(page: Any, path: Path) -> None:
    """Load a file into a tab; far sooner than ``opened`` where the tab knows its scripts."""
    page.goto(path.as_uri())
    until(page, 'Boolean(window.report && window.report.panels)')


def _note_request(wrong: list[str], url: str, path: Path) -> None:
    if url != path.as_uri() and not url.startswith('data:'):
        wrong.append(f'request: {url}')


def until(page: Any, expression: str, seconds: float = 10.0) -> None:
    """Wait until an expression is true in the page.

    Playwright's own way evaluates text inside the page, which the page's policy forbids.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f'never true: {expression}'
        page.wait_for_timeout(20)


def settled(page: Any) -> None:
    """Wait until the plots in sight are drawn."""
    page.evaluate(NEXT_FRAME)
    until(page, '[...report.panels].every((one) => one.ready || one.near === false)')
    page.evaluate(NEXT_FRAME)


def swipe_up(page: Any, selector: str) -> None:
    """Put a finger on an element, move it up, and wait until the page has scrolled by that.

    Args:
        page: A page on a ``PHONE``.
        selector: What is touched; the first one.
    """
    place = """(selector) => {
      const one = document.querySelector(selector);
      scrollTo(0, one.getBoundingClientRect().top + scrollY - 400);
      const box = one.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + Math.min(60, box.height / 2), scrollY];
    }"""
    x, y, before = page.evaluate(place, selector)
    touch = page.context.new_cdp_session(page)
    steps = [('touchStart', 0.0), *(('touchMove', k / 10) for k in range(1, 11))]
    for kind, share in steps:
        at = [{'x': x, 'y': y - share * 200.0}]
        touch.send('Input.dispatchTouchEvent', {'type': kind, 'touchPoints': at})
    touch.send('Input.dispatchTouchEvent', {'type': 'touchEnd', 'touchPoints': []})
    until(page, f'scrollY - {before} > 100')
