"""What a sweep leaves and prints."""

import io

from rich.console import Console

from soliton_encirclement_ros.cli.runs.sweep_output import Results, print_results, write_tables
from soliton_encirclement_ros.experiments.result_tables import (
    paired_table, run_table, statistics_table
)
from soliton_encirclement_ros.experiments.sweep_file import Comparison, Sweep
from support.planned import a_swept_run

LAW, GAIN = 'control.controller', 'control.k_tau'


def results(points, seeds=(1, 2, 3), chosen='', **summary):
    table = run_table([
        a_swept_run(i, seed, values, e_gap=0.001 * (100 * (len(points) - i) + seed), **summary)
        for i, values in enumerate(points, 1)
        for seed in seeds
    ])  # fmt: skip
    sweep = Sweep('made', '', (), [], [*seeds], [], Comparison(chosen))
    if not points:
        return Results(sweep, table, table, table.frame, table.frame)
    return Results(sweep, table, table, statistics_table(table), paired_table(table, chosen))


def printed(found):
    console = Console(file=io.StringIO(), width=200)
    print_results(found, console)
    return console.file.getvalue()


LAWS = [{LAW: law, GAIN: 0.5} for law in ('soliton', 'two_channel')]


def test_points_have_median_and_interval_and_laws_are_compared():
    said = printed(results(LAWS))
    assert 'soliton 0.5' in said and '0.102 (0.101..0.103)' in said
    assert 'E_gap: soliton - two_channel' in said and ' 0.100 (0.100..0.100)' in said


def test_a_chosen_law_is_tallied_over_the_points():
    points = [{LAW: law, GAIN: gain} for law in ('soliton', 'two_channel') for gain in (0.1, 0.2)]
    said = printed(results(points, seeds=range(8), chosen='two_channel'))
    assert 'at how many of 2 points two_channel is' in said
    assert '2+ 0−' in said


def test_one_seed_has_no_interval_and_never_is_a_word():
    said = printed(results([{}], seeds=(1,), settling_time_s=None))
    assert '..' not in said and 'never' in said


def test_of_many_points_those_with_the_least_error_are_printed():
    said = printed(results([{GAIN: 0.001 * i} for i in range(100, 0, -1)], seeds=(1,)))
    assert 'the 25 of 100 points with the least E_gap' in ' '.join(said.split())
    assert 'soliton 0.001 ' in said and 'soliton 0.025 ' in said and 'soliton 0.026 ' not in said


def test_a_table_that_would_be_empty_is_removed(tmp_path):
    assert len(write_tables(tmp_path, results(LAWS))) == 6
    assert (tmp_path / 'paired.csv').exists()
    assert len(write_tables(tmp_path, results(LAWS[:1]))) == 4
    assert not (tmp_path / 'paired.csv').exists()
    assert not (tmp_path / 'paired.parquet').exists()


def test_nothing_flown_leaves_nothing(tmp_path):
    assert write_tables(tmp_path, results([])) == []
