"""Gains of laws, tuned alike: the same budget of flights for every law, on seeds of their own.

    pip install optuna
    python bench/tune_laws.py [FILE] [--law LAW ...] [--flights 1200] [--seed 1] [--random]

FILE (bench/tuning.yaml) names a sweep with named axes whose first law flies as shipped, the points
that are flown, seeds, the objective, and for every law the ranges of its gains, as of a sweep's
random design. Optuna proposes gains (its tree-structured Parzen estimator; --random: at random).
They fly every point with the first seed; those that are not among the better third of all so far
are given up, the others fly three times as many flights, and so on: successive halving,
asynchronously. The gains as shipped are flown to the end. What is made small, as a mean over the
flights:

    sum over metrics of  w ln(max(value, resolution)) / sum of w

A flight that lacks a metric costs infinitely much. The best gains are printed as a law for the
axis ``law`` of a sweep, to be flown on other seeds. Whoever chooses ranges, points and objective
chooses the result: keep the file with it.

Source: L. Li et al., "A system for massively parallel hyperparameter tuning", MLSys 2020.
"""

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.progress import Progress
from sweep_points import SweepPoints, read_points

from soliton_encirclement_ros.core.run.summary import Summary
from soliton_encirclement_ros.core.scenario.user_files import read_yaml
from soliton_encirclement_ros.experiments.design import read_seeds
from soliton_encirclement_ros.experiments.sweep_file import METRICS
from soliton_encirclement_ros.sim.forked_processes import make_forked_pool
from soliton_encirclement_ros.sim.simulation import fly

try:
    import optuna
except ImportError:
    optuna = None

FILE = Path(__file__).with_name('tuning.yaml')
SHARE = 3
"""One in so many goes on to a round with so many times the flights."""

SMALLEST = 1e-6
"""Resolution of a metric that has none."""

Flight = tuple[str, str, dict[str, Any]]
"""Law, point, and changes of a flight."""

SWEEPS: dict[str, SweepPoints] = {}
"""The sweep, for forked processes."""


def fly_one(flight: Flight) -> Summary:
    """Return the summary of a flight."""
    law, label, changes = flight
    (sweep,) = SWEEPS.values()
    first = next(name for name, _ in sweep.points)  # as shipped: it changes its controller alone
    return fly(sweep.scenario(first, label, {'control.controller': law, **changes})).summary


def cost(summary: Summary, task: Mapping[str, Any]) -> float:
    """Return the cost of a flight, infinite if it lacks a metric."""
    total = 0.0
    for name, weight in task['objective'].items():
        value = METRICS[name].value(summary)
        if value is None or not math.isfinite(value):
            return math.inf
        size = math.log(max(value, task.get('resolution', {}).get(name, SMALLEST)))
        total += weight * (-size if METRICS[name].higher_is_better else size)
    return total / sum(task['objective'].values())


def propose(trial: 'optuna.Trial', search: Mapping[str, Any]) -> dict[str, Any]:
    """Return the gains of a trial."""
    gains: dict[str, Any] = {}
    for key, spec in search.items():
        if 'choices' in spec:
            gains[key] = trial.suggest_categorical(key, spec['choices'])
        elif isinstance(spec['low'], int):
            gains[key] = trial.suggest_int(key, spec['low'], spec['high'])
        else:
            log = spec.get('log', False)
            gains[key] = trial.suggest_float(key, spec['low'], spec['high'], log=log)
    return gains


def tune(law: str, task: Mapping[str, Any], pool: ProcessPoolExecutor,
         asked: argparse.Namespace) -> 'optuna.Study':  # fmt: skip
    """Spend the budget of a law; the first trial are its gains as shipped."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    kind = optuna.samplers.RandomSampler if asked.random else optuna.samplers.TPESampler
    pruner = optuna.pruners.SuccessiveHalvingPruner(
        min_resource=len(task['points']), reduction_factor=SHARE
    )
    study = optuna.create_study(sampler=kind(seed=asked.seed), pruner=pruner)
    search = task['laws'][law]
    flights = [(label, seed) for seed in read_seeds(task['seeds'], 0, str(asked.file))
               for label in task['points']]  # fmt: skip
    left = asked.flights
    with Progress(console=Console(stderr=True)) as progress:
        bar = progress.add_task(law, total=left)
        while left >= len(task['points']):
            trial = study.ask()
            gains = propose(trial, search) if left < asked.flights else {}
            left -= _fly_trial(study, trial, (law, gains, flights[:left]), task, pool)
            progress.update(bar, completed=asked.flights - left)
    return study


def _fly_trial(
    study: 'optuna.Study', trial: 'optuna.Trial', what: tuple[str, dict[str, Any], Sequence[Any]],
    task: Mapping[str, Any], pool: ProcessPoolExecutor,
) -> int:  # fmt: skip
    """Fly a trial until it is given up, or all its flights are flown; return their number."""
    law, gains, flights = what
    costs: list[float] = []
    size = len(task['points'])
    while len(costs) < len(flights):
        jobs = [(law, label, {**gains, 'run.seed': seed})
                for label, seed in flights[len(costs) : size]]  # fmt: skip
        costs += [cost(summary, task) for summary in pool.map(fly_one, jobs)]
        trial.report(sum(costs) / len(costs), len(costs))
        if gains and size < len(flights) and trial.should_prune():
            break
        size *= SHARE
    mean = sum(costs) / len(costs)
    if len(costs) < len(task['points']) * _seeds(task):
        study.tell(trial, state=optuna.trial.TrialState.PRUNED)
    else:
        study.tell(trial, mean if math.isfinite(mean) else sys.float_info.max)
    return len(costs)


def _seeds(task: Mapping[str, Any]) -> int:
    return len(read_seeds(task['seeds'], 0, 'seeds'))


def main() -> None:
    """Tune and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('file', type=Path, nargs='?', default=FILE)
    parser.add_argument('--law', action='append', help='default: all of the file')
    parser.add_argument('--flights', type=int, default=1200, help='for every law')
    parser.add_argument('--seed', type=int, default=1, help='of the proposals')
    parser.add_argument('--random', action='store_true', help='propose at random')
    asked = parser.parse_args()
    if optuna is None:
        sys.exit('optuna is not installed; run: pip install optuna')
    task = read_yaml(asked.file.read_text(encoding='utf-8'))
    sweep = SWEEPS[''] = read_points(task['sweep'])
    for label in task['points']:
        if label not in sweep.labels:
            sys.exit(f'{asked.file}: points: {label!r} is none of {"; ".join(sweep.labels)}')
    with make_forked_pool() as pool:
        for law in asked.law or task['laws']:
            if asked.flights < _seeds(task) * len(task['points']):
                sys.exit(f'--flights {asked.flights} must be enough to fly one set of gains')
            study = tune(law, task, pool, asked)
            shipped = study.trials[0].value
            print(f'# {law}: cost {study.best_value:.3f}, shipped {shipped:.3f}; '
                  f'{len(study.trials)} sets of gains, {asked.flights} flights')  # fmt: skip
            gains = {'control.controller': law, **study.best_params}
            print(yaml.safe_dump({f'{law}_tuned': gains}, sort_keys=False), flush=True)


if __name__ == '__main__':
    main()
