"""What the tests of the page share: a browser, a short flight with failures, and its page."""

import pytest

from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.report import write_page
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.browser import chromium, opened, settled
from support.recorded.recordings import recording_of

__all__ = ['chromium']


@pytest.fixture(scope='session')
def flight():
    """Return the recording of five agents, of which one fails, that turn an open arc."""
    return recording_of(Scenario().with_changes({
        'run': {'sim_duration': 20.0, 'num_agents': 5},
        'failure': {'failure_mean_failures_per_min': 0.0, 'failure_schedule': '6..12: 2'},
        'target': {'protection_angle_deg': 240.0, 'target_swarm_spin_enable': True},
    }, 'test'))  # fmt: skip


@pytest.fixture(scope='session')
def findings(flight):
    """Return what is found in the flight."""
    return find(flight)


RESET = """() => {
  report.play(false);
  for (const one of document.querySelectorAll('.chip[aria-pressed=false]')) one.click();
  if (!document.getElementById('alike').checked) document.getElementById('alike').click();
  if (report.range()[0] > 0 || report.range()[1] < report.clock.end) report.setRange(0, Infinity);
  document.querySelector('#quantities button').click();
  document.getElementById('fit').click();
  document.getElementById('speed').value = '1';
  document.getElementById('speed').dispatchEvent(new Event('change'));
  document.activeElement.blur();
  report.seek(0);
}"""


@pytest.fixture(scope='module')
def window(chromium, page_file):
    """Return the page in a window in which replay, metrics and small multiples are in sight."""
    with opened(chromium, page_file, viewport={'width': 1400, 'height': 1800}) as page:
        yield page


@pytest.fixture
def shown(window):
    """Return the page as it is when it was just opened, everything in sight drawn."""
    window.mouse.move(5, 5)
    window.evaluate(RESET)
    settled(window)
    return window


@pytest.fixture(scope='session')
def page_file(flight, findings, tmp_path_factory):
    """Return the page of the flight."""
    return write_page(tmp_path_factory.mktemp('page') / 'report.html', findings)
