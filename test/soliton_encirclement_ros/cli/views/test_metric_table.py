"""The metrics of a summary on the terminal."""

from rich.console import Console
from soliton_encirclement_ros.cli.views.metric_table import effort_text, metric_table
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES

MEANS = dict.fromkeys(METRIC_NAMES, 0.25)


def printed(**summary) -> list[str]:
    """Return the lines of the table of a summary."""
    console = Console(width=120)
    with console.capture() as capture:
        whole = {'metrics_mean': MEANS, 'metrics_last': MEANS, **summary}
        console.print(metric_table(whole, 'a [name]'))
    return [line.strip() for line in capture.get().splitlines()]


def test_steady_means_stand_between_the_others():
    text = '\n'.join(printed(metrics_steady={**MEANS, 'E_r': 0.125}, steady_share=0.42))
    assert 'a [name]' in text
    assert text.index('last 20 %') < text.index('steady, 42 % of the time') < text.index('at the')
    assert '0.125' in text


def test_without_steady_samples_there_is_no_such_row():
    nothing = dict.fromkeys(METRIC_NAMES)
    assert not any('steady' in line for line in printed())
    assert not any('steady' in line for line in printed(metrics_steady=nothing, steady_share=0.0))
    assert not any('steady' in line for line in printed(metrics_steady=None, steady_share=None))


def test_the_effort_is_told_as_far_as_it_is_known():
    assert effort_text({}) == effort_text({'command_change_m_per_s': None}) == ''
    change = {'command_change_m_per_s': 0.2204, 'command_jerk_m_per_s3': None}
    assert effort_text(change) == 'commands change by 0.220 m/s per tick'
    whole = {**change, 'command_jerk_m_per_s3': 81.6}
    assert effort_text(whole) == 'commands change by 0.220 m/s per tick, jerk 82 m/s^3'
