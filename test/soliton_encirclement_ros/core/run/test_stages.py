"""Work in stages: alone without a pause, together stage by stage."""

import pytest
from soliton_encirclement_ros.core.run.stages import Stages, run_through, run_together

Log = list[tuple[str, int]]


def work(name: str, stages: int, log: Log) -> Stages[str]:
    """Note every stage; return the name in capitals."""
    for stage in range(stages):
        log.append((name, stage))
        yield
    return name.upper()


def test_together_each_stage_is_done_by_all_before_the_next() -> None:
    """Work with fewer stages ends earlier, and the others go on."""
    log: Log = []
    run_together([work('a', 3, log), work('b', 1, log), work('c', 2, log)])
    assert log == [('a', 0), ('b', 0), ('c', 0), ('a', 1), ('c', 1), ('a', 2)]
    run_together([])
    assert run_through(work('d', 2, log)) == 'D'


def test_what_goes_wrong_is_raised() -> None:
    """A fault of one work reaches the caller, in both ways."""

    def broken() -> Stages[None]:
        yield
        raise ValueError('broken')

    with pytest.raises(ValueError, match='broken'):
        run_through(broken())
    with pytest.raises(ValueError, match='broken'):
        run_together([work('a', 2, []), broken()])
