"""The order of the ring: by key, then by number, whatever it was before."""

import random

import numpy as np
import pytest

from soliton_encirclement_ros.swarm import ring as sorting

KEYS = {
    'with ties': lambda draw: float(draw.randrange(5)),
    'signed zeros': lambda draw: draw.choice([0.0, -0.0, 1.0]),
    'infinite': lambda draw: draw.choice([float('inf'), -float('inf'), 0.0]),
}


def scene(kind, count, seed, room=0):
    """Return keys by number, an order of some of the numbers, and spare room."""
    draw = random.Random(seed)
    key = np.array([KEYS[kind](draw) for _ in range(count + room)])
    order = np.array(draw.sample(range(count + room), count + room), dtype=np.int64)
    return key, order, np.full(count + room, -7, dtype=np.int64)


def expected(key, order, count):
    return sorted(order[:count].tolist(), key=lambda number: (key[number], number))


@pytest.mark.parametrize('count', [0, 1, 2, 65, 200])
@pytest.mark.parametrize('kind', KEYS)
def test_an_order_is_by_key_and_then_by_number(kind, count):
    for seed in range(5):
        key, order, spare = scene(kind, count, seed, room=3)
        wanted, rest = expected(key, order, count), order[count:].tolist()
        again = order.copy()
        sorting.sort_by(key, order, spare, count)
        assert order.tolist() == wanted + rest
        sorting.merge_sort(key, again, spare, count)
        assert again.tolist() == wanted + rest


@pytest.mark.parametrize(('shuffled', 'merges'), [(False, 0), (True, 1)])
def test_only_an_order_that_is_far_wrong_is_merged(shuffled, merges, monkeypatch):
    asked, merge_sort = [], sorting.merge_sort
    monkeypatch.setattr(
        sorting, 'merge_sort', lambda *scene: asked.append(1) or merge_sort(*scene)
    )
    count = 300
    key = np.arange(float(count))[::-1].copy()
    order = np.arange(count) if shuffled else np.arange(count)[::-1].copy()
    order[[0, 1]] = order[[1, 0]]
    sorting.sort_by(key, order, np.zeros_like(order), count)
    assert order.tolist() == list(range(count))[::-1]
    assert len(asked) == merges

