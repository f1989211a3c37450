"""Records of flights, and the original experiment's figures of them as slow loops.

Written from the definitions alone, so that they can judge the fast ones.
"""

import math

import numpy as np

from soliton_encirclement_ros.core.flight_statistics.original_study import (
    FIGURE_NAMES, StudyRecord
)

T, UPDATES, V_MAX = 0.05, 5, 10.0


def make_record(errors, failed=None, speeds=None, updates=UPDATES):
    errors = np.array(errors, dtype=float)
    failed = np.zeros(errors.shape, dtype=bool) if failed is None else np.array(failed)
    if speeds is None:
        speeds = np.zeros((len(errors), updates, errors.shape[1]))
    return StudyRecord(errors, failed, np.array(speeds, dtype=float), T, T / updates, V_MAX)


def random_record(seed, ticks=30, agents=3, updates=UPDATES):
    random = np.random.default_rng(seed)
    speeds = np.minimum(V_MAX, random.uniform(0.0, 12.0, (ticks, updates, agents)))
    failed = np.zeros((ticks, agents), dtype=bool)
    errors = random.uniform(-0.5, 0.5, (ticks, agents)) * random.integers(0, 2, (ticks, agents))
    for agent in range(agents):
        for begin in random.integers(0, ticks, 3):
            failed[begin : begin + random.integers(1, 6), agent] = True
    for k in range(ticks):
        errors[k] = np.where(failed[k], errors[k - 1] if k else 0.0, errors[k])
    return make_record(errors, failed, speeds, updates)


def percentile(values, share):
    if not values:
        return math.nan
    ranked = sorted(values)
    place = (len(ranked) - 1) * share / 100.0
    low = math.floor(place)
    high = min(low + 1, len(ranked) - 1)
    return ranked[low] + (place - low) * (ranked[high] - ranked[low])


def root_mean_square(values):
    return math.sqrt(sum(v * v for v in values) / len(values)) if values else math.nan


def naive(series, speeds, step, parameters):
    """Return the figures; ``series`` has a list of stretches [(time, e), ...] for every agent."""
    p = parameters
    W, K = (max(1, round(w / T)) for w in (p.average, p.settle))
    pooled, each, rates, swings, firsts = [], [], [], [], []
    for agent in series:
        own = []
        for stretch in agent:
            e = [value for _, value in stretch]
            own += e
            rates += [abs(e[i] - e[i - 1]) / step for i in range(1, len(e))]
            for i in range(len(e)):
                near = [e[j] for j in range(i - W // 2, i + (W - 1) // 2 + 1) if 0 <= j < len(e)]
                swings.append(e[i] - sum(near) / len(near))
        pooled += own
        each += [percentile(own, 95)] if own else []
        firsts += [
            stretch[i][0]
            for stretch in agent
            for i in range(len(stretch) - K + 1)
            if all(value <= p.threshold for _, value in stretch[i : i + K])
        ][:1]
    values = (
        percentile(pooled, 95), percentile(each, 95), percentile(rates, 95),
        root_mean_square(swings), root_mean_square([v / V_MAX for v in speeds]) ** 2,
        sum(v >= V_MAX - 1e-9 for v in speeds) / len(speeds) if speeds else math.nan,
        percentile(firsts, 50), percentile(firsts, 95), len(firsts) / len(series),
    )  # fmt: skip
    return dict(zip(FIGURE_NAMES, values, strict=True))


def naive_as_published(record, parameters):
    ticks, updates, agents = record.speeds.shape
    step = record.update_period
    series, counted = [[[]] for _ in range(agents)], []
    for n in range(1, ticks * updates + 1):
        tick, after = divmod(n, updates)
        for agent in range(agents):
            e = abs(record.errors[tick - 1, agent]) if tick else 0.0
            series[agent][0].append((n * step, e))
            at_tick, update = (tick, after - 1) if after else (tick - 1, updates - 1)
            v = record.speeds[at_tick - 1, update, agent] if at_tick else 0.0
            counted.append(v)
    return naive(series, counted, step, parameters)


def naive_corrected(record, parameters):
    ticks, _, agents = record.speeds.shape
    series, counted = [], []
    for agent in range(agents):
        stretches, before = [], False
        for k in range(1, ticks + 1):
            up = not record.failed[k - 1, agent]
            if up and not before:
                stretches.append([])
            if up:
                stretches[-1].append((k * T, abs(record.errors[k - 1, agent])))
                counted += list(record.speeds[k - 1, :, agent])
            before = up
        series.append(stretches)
    return naive(series, counted, T, parameters)
