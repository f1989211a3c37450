"""The figures of the original's study, for people."""

import io

from rich.console import Console
from soliton_encirclement_ros.cli.views.study_table import print_study


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
