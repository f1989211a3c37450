"""Tuning of all laws of a study, round by round: what to fly next, and what came of it."""

from collections.abc import Callable, Mapping, Sequence

from soliton_encirclement_ros.core.run.experiment_records import Candidate, Gains, TunedLaw
from soliton_encirclement_ros.core.run.summary import Summary
from soliton_encirclement_ros.sim.law_study.objective import cost
from soliton_encirclement_ros.sim.law_study.study import Study, Tuning
from soliton_encirclement_ros.sim.law_study.study_laws import StudyLaw, candidates
from soliton_encirclement_ros.sim.law_study.study_runs import AS_IT_IS, planned
from soliton_encirclement_ros.sim.sweeps.sweep_file import PlannedRun

Read = Callable[[PlannedRun], Summary | None]
"""Returns the summary of a run, None if it failed."""


class TuningRace:
    """The search for the gains of every law; the shipped gains stay in it to the end."""

    def __init__(self, study: Study) -> None:
        """Draw the candidates."""
        self.round = 0
        self.rounds = len(study.tuning.rounds) if study.tuning and study.searched else 0
        self._laws = [
            LawSearch(study, law, study.tuning) for law in study.searched if study.tuning
        ]

    def runs(self) -> list[PlannedRun]:
        """Return the runs of the present round; none after the last one."""
        if self.round >= self.rounds:
            return []
        return [run for search in self._laws for run in search.runs(self.round)]

    def advance(self, read: Read) -> None:
        """Judge the present round, and go on to the next.

        Args:
            read: Returns the summaries of its runs.
        """
        for search in self._laws:
            search.judge(self.round, read)
        self.round += 1

    def results(self) -> dict[str, TunedLaw]:
        """Return the result of every law, after the last round."""
        return {search.law.name: search.result() for search in self._laws}


class LawSearch:
    """The candidates of one law; the first one are the gains as shipped."""

    def __init__(self, study: Study, law: StudyLaw, tuning: Tuning) -> None:
        """Draw the candidates of the first round."""
        self.law = law
        self._study = study
        self._tuning = tuning
        count = tuning.rounds[0].candidates - 1
        source = f'{study.source}: laws: {law.name}: search'
        drawn = candidates(law.search, count, tuning.seed, source)
        self._gains: list[Gains] = [AS_IT_IS, *drawn]
        self._costs: list[list[float]] = [[] for _ in self._gains]
        self._left = list(range(len(self._gains)))
        self._runs: list[list[PlannedRun]] = []

    def runs(self, number: int) -> list[PlannedRun]:
        """Return the runs of a round: those left, on the flights that are new in it."""
        self._runs = [self._new_runs(number, self._gains[i]) for i in self._left]
        return [run for runs in self._runs for run in runs]

    def judge(self, number: int, read: Read) -> None:
        """Take the costs of a round, and leave the best for the next one."""
        for i, runs in zip(self._left, self._runs, strict=True):
            self._costs[i] += [self._cost(read(run)) for run in runs]
        if number + 1 < len(self._tuning.rounds):
            most = self._tuning.rounds[number + 1].candidates
            self._left = [0, *(i for i in self._ranked() if i)][:most]

    def result(self) -> TunedLaw:
        """Return the best of those that were judged on all flights."""
        tried = [Candidate(self.law.name, gains, len(costs), _mean(costs))
                 for gains, costs in zip(self._gains, self._costs, strict=True)]  # fmt: skip
        flights = sum(one.flights for one in tried)
        return TunedLaw(tried[self._ranked()[0]], tried[0], tried, flights)

    def _cost(self, summary: Summary | None) -> float:
        return cost(summary, self._tuning.objective, self._study.resolution)

    def _ranked(self) -> list[int]:
        """Return those left, the best first; of equals the one drawn first."""
        return sorted(self._left, key=lambda i: (_mean(self._costs[i]), i))

    def _new_runs(self, number: int, gains: Gains) -> list[PlannedRun]:
        """Return the runs of a candidate that a round adds; every condition before a new seed."""
        tuning = self._tuning
        before = tuning.rounds[number - 1].flights if number else 0
        flights = [(seed, condition) for seed in tuning.seeds for condition in tuning.conditions]
        return [
            run
            for seed, condition in flights[before : tuning.rounds[number].flights]
            for run in planned(self._study, self.law, condition, gains, [seed])
        ]


def _mean(costs: Sequence[float]) -> float:
    return sum(costs) / len(costs)


def gains_of(results: Mapping[str, TunedLaw]) -> dict[str, Gains]:
    """Return the best gains of every law."""
    return {name: one.best.gains for name, one in results.items()}
