"""One call of ``swarm study run``: tuning round by round, the test, the statistics."""

from pathlib import Path

from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.law_study import study_output
from soliton_encirclement_ros.cli.law_study.study_folder import write_copy
from soliton_encirclement_ros.cli.law_study.study_forecast import print_forecast
from soliton_encirclement_ros.cli.law_study.study_progress import StudyProgress
from soliton_encirclement_ros.cli.output import print_error
from soliton_encirclement_ros.cli.views.compiling import get_ready_visibly
from soliton_encirclement_ros.cli.views.sweep_report import print_line
from soliton_encirclement_ros.cli.views.terminal_tables import wide_console
from soliton_encirclement_ros.core.law_study.study_metrics import metric_values
from soliton_encirclement_ros.core.law_study.study_records import StudyFlight, TunedLaw
from soliton_encirclement_ros.core.run.run_outcome import FAILED, INTERRUPTED
from soliton_encirclement_ros.core.run.summary_figures import Summary
from soliton_encirclement_ros.sim.law_study import (
    Study,
    StudyRun,
    TuningRace,
    gains_of,
    runs_of_test,
)
from soliton_encirclement_ros.sim.sweeps import PlannedRun, Store
from soliton_encirclement_ros.sim.sweeps.local import fly_locally
from soliton_encirclement_ros.sim.sweeps.sweep_monitor import BrokenOffError


class StopError(Exception):
    """The study ends early, with an exit code."""

    def __init__(self, code: int) -> None:
        """Keep the exit code."""
        super().__init__(code)
        self.code = code


class StudySession:
    """One call of the verb, from the forecast to the page."""

    def __init__(self, study: Study, folder: Path, jobs: int, json_wanted: bool) -> None:
        """Prepare a call.

        Args:
            study: The study.
            folder: Its output folder.
            jobs: Number of parallel flights.
            json_wanted: Whether JSON is printed instead of progress and tables.
        """
        self._study = study
        self._folder = folder
        self._jobs = jobs
        self._json = json_wanted
        self._console = wide_console(json_wanted)
        self._failed = 0

    def forecast(self) -> int:
        """Print what the study takes; write nothing."""
        print_forecast(self._study, self._jobs, self._console)
        return 0

    def go(self) -> int:
        """Execute all steps and return the exit code."""
        print_forecast(self._study, self._jobs, self._console)
        with Store(self._folder) as store:
            write_copy(self._folder, self._study)
            self._store = store
            try:
                tuned = self._tune()
                runs = runs_of_test(self._study, gains_of(tuned))
                self._fly([one.run for one in runs], 'test')
            except StopError as end:
                return end.code
            flights = self._flights(runs)
        ending = study_output.StudyEnding(self._study, self._folder, flights, tuned, self._failed)
        study_output.finish(ending, self._console, self._json)
        return FAILED if self._failed else 0

    def _tune(self) -> dict[str, TunedLaw]:
        """Tune all laws."""
        race = TuningRace(self._study)
        while runs := race.runs():
            self._fly(runs, f'tuning, round {race.round + 1} of {race.rounds}')
            race.advance(self._summary)
        return race.results()

    def _summary(self, run: PlannedRun) -> Summary | None:
        return next((kept.summary for kept in self._store.read([run])), None)

    def _flights(self, runs: list[StudyRun]) -> list[StudyFlight]:
        """Return the flights of the test; those that failed are left out."""
        found = []
        for one in runs:
            summary = self._summary(one.run)
            if summary is not None:
                values = metric_values(summary, self._study.metrics, self._study.resolution)
                seed = one.run.scenario.run.seed
                found.append(StudyFlight(one.law, one.condition, seed, values))
        return found

    def _fly(self, runs: list[PlannedRun], what: str) -> None:
        """Fly those of some runs that are not stored.

        Raises:
            StopError: It was interrupted, or the flights broke off.
        """
        unique = list({run.key: run for run in runs}.values())
        missing = self._store.missing(unique)
        kept = len(unique) - len(missing)
        shown = f', {kept} of them kept from before' if kept else ''
        print_line(f'{what}: {len(unique)} flights{shown}', self._console)
        if not missing:
            return
        get_ready_visibly(run.scenario for run in missing)
        self._interrupt = Interrupt()
        monitor = StudyProgress(self._console, self._store, self._interrupt, missing, kept)
        try:
            with monitor:
                fly_locally(missing, self._jobs, monitor)
        except BrokenOffError as error:
            print_error(str(error))
            raise StopError(FAILED) from None
        self._failed += len(monitor.failed)
        if self._interrupt:
            print_error(
                f'interrupted; finished flights are kept in {self._folder}: the same command '
                'resumes the study'
            )
            raise StopError(INTERRUPTED)
