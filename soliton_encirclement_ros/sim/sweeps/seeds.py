"""Seeds of a sweep, the same for every point."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from velocity_mobility_ros.core.random_numbers import LARGEST_SEED
from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.sim.sweeps.random_design import whole

MAX_SEEDS = 100_000


def read_seeds(content: Any, first: int, source: str) -> list[int]:
    """Return the seeds of a sweep.

    Args:
        content: A count, ``first`` and ``count``, or a list; None: only the scenario's seed.
        first: The seed of the scenario, the first one if only a count is given.
        source: The file, named in errors.

    Raises:
        ScenarioError: It is invalid, or a seed is out of its bounds or a duplicate.
    """
    if content is None:
        return [first]
    if isinstance(content, list):
        return _listed(content, source)
    count: Any = content
    if isinstance(content, Mapping):
        if set(content) != {'first', 'count'}:
            raise ScenarioError(f'{source}: seeds = {shown(content)} must have first and count')
        first, count = content['first'], content['count']
    first = whole(first, f'{source}: seeds: first', 0, LARGEST_SEED)
    count = whole(count, f'{source}: seeds: count', 1, MAX_SEEDS)
    whole(first + count - 1, f'{source}: seeds: the last', 0, LARGEST_SEED)
    return list(range(first, first + count))


def _listed(content: list[Any], source: str) -> list[int]:
    if not content or len(content) > MAX_SEEDS:
        raise ScenarioError(
            f'{source}: seeds lists {len(content)}, must list 1 to {MAX_SEEDS} of them'
        )
    seeds = [whole(seed, f'{source}: seeds', 0, LARGEST_SEED) for seed in content]
    if len(set(seeds)) < len(seeds):
        twice = next(seed for seed, count in Counter(seeds).items() if count > 1)
        raise ScenarioError(f'{source}: seeds lists {twice} twice')
    return seeds
