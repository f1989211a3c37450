"""Small tables: of a fit, of the original's study, of the metrics of a run."""

import io

from rich.console import Console

from soliton_encirclement_ros.analysis.fit import ParameterEstimate
from soliton_encirclement_ros.cli.recordings.fit_verb import cells
from soliton_encirclement_ros.cli.runs.simulate_verb import print_study
from soliton_encirclement_ros.cli.views.run_report import effort_text, metric_table
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES

MEANS = dict.fromkeys(METRIC_NAMES, 0.25)


def test_an_estimate_has_unit_and_interval_and_none_has_no_number():
    one = ParameterEstimate('tau_xy', 's', True, 0.81234567, 0.8, 0.82, '')
    assert cells(one) == ('0.81235 s', '0.8 .. 0.82')
    assert cells(ParameterEstimate('delay', 's', True, -1e-8, -0.01, 0.01, '')) == ('0 s', '-0.01 .. 0.01')
    for known, said in ((False, 'not identifiable'), (True, 'none')):
        assert cells(ParameterEstimate('tau_xy', 's', known, None, None, None, 'why')) == (said, '')


def test_there_is_a_row_per_figure_and_a_column_per_variant():
    out = io.StringIO()
    study = {
        'as_published': {'M1_P95_e_pooled': 0.123456, 'M7_settle_P95': None},
        'corrected': {'M1_P95_e_pooled': 2.0, 'M7_settle_P95': 12.5},
    }
    print_study(study, Console(file=out, width=100))
    lines = out.getvalue().splitlines()
    (head,) = [line for line in lines if 'as published' in line]
    assert 'corrected' in head
    first, second = ([cell.strip() for cell in line.split('│')[1:-1]]
                     for line in lines if 'M1_' in line or 'M7_' in line)  # fmt: skip
    assert first == ['M1_P95_e_pooled', '0.1235', '2']
    assert second == ['M7_settle_P95', '-', '12.5']


def printed(**summary) -> str:
    """Return the table of the metrics of a summary."""
    console = Console(width=120)
    with console.capture() as capture:
        whole = {'metrics_mean': MEANS, 'metrics_last': MEANS, **summary}
        console.print(metric_table(whole, 'a [name]'))
    return capture.get()


def test_steady_means_stand_between_the_others_if_there_are_some():
    text = printed(metrics_steady={**MEANS, 'E_r': 0.125}, steady_share=0.42)
    assert 'a [name]' in text and '0.125' in text
    assert text.index('last 20 %') < text.index('steady, 42 % of the time') < text.index('at the')
    nothing = dict.fromkeys(METRIC_NAMES)
    for summary in ({}, {'metrics_steady': nothing, 'steady_share': 0.0}):
        assert 'steady' not in printed(**summary)


def test_the_effort_is_told_as_far_as_it_is_known():
    assert effort_text({}) == effort_text({'command_change_m_per_s': None}) == ''
    change = {'command_change_m_per_s': 0.2204, 'command_jerk_m_per_s3': None}
    assert effort_text(change) == 'commands change by 0.220 m/s per tick'
    whole = {**change, 'command_jerk_m_per_s3': 81.6}
    assert effort_text(whole) == 'commands change by 0.220 m/s per tick, jerk 82 m/s^3'


def test_the_weighted_error_stands_there_where_weights_differ():
    assert 'E_wgap' not in printed()
    assert 'E_wgap' in printed(metrics_last={**MEANS, 'E_wgap': 0.5})
