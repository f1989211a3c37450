"""Progress of a study's flights."""

from soliton_encirclement_ros.cli.views.sweep_progress import SweepProgress
from soliton_encirclement_ros.sim.sweeps.sweep_monitor import Finished


class StudyProgress(SweepProgress):
    """Stores the summaries of finished flights alone: nobody looks at their curves."""

    def take(self, finished: Finished) -> None:
        """Store finished flights; a failed one is reported in one line."""
        super().take([
            (run, result._replace(study='{}', curves=b'')) for run, result in finished
        ])  # fmt: skip
