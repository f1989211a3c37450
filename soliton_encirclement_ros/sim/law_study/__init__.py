"""Studies: laws tuned by equal budgets, then flown under equal conditions on other seeds."""

from soliton_encirclement_ros.sim.law_study.study import Study
from soliton_encirclement_ros.sim.law_study.study_file import find_study, load_study
from soliton_encirclement_ros.sim.law_study.study_runs import StudyRun, runs_of_test
from soliton_encirclement_ros.sim.law_study.tuning_race import TuningRace, gains_of

__all__ = [
    'Study', 'StudyRun', 'TuningRace', 'find_study', 'gains_of', 'load_study', 'runs_of_test',
]  # fmt: skip
