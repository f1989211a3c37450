"""Checks that a run with the original's random numbers uses only the original's features."""

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.failure_parameters import FailureParameters
from soliton_encirclement_ros.core.parameters.path_parameters import PathChoices
from soliton_encirclement_ros.core.parameters.radio_parameters import RadioParameters
from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE


def check_reference(
    run: RunParameters, radio: RadioParameters, failure: FailureParameters, paths: PathChoices
) -> None:
    """Refuse features that the original experiment does not have.

    Raises:
        ScenarioError: A run with the original's random numbers uses such a feature.
    """
    if run.rng != REFERENCE:
        return
    unsupported = {
        'radio.communication_jitter': radio.communication_jitter,
        'radio.clock_offset': radio.clock_offset,
        'radio.partitions': radio.partitions.strip(),
        'radio.byzantine': radio.byzantine.strip(),
        'failure.failure_schedule': failure.failure_schedule.strip(),
        'paths.target_path': paths.target_path.strip(),
        'paths.adversary_path': paths.adversary_path.strip(),
        'paths.agent_paths': paths.agent_paths.strip(),
    }
    for name, value in unsupported.items():
        if value:
            raise ScenarioError(
                f"{name} = {value!r} with run.rng = '{REFERENCE}': the original experiment "
                'does not have this feature; remove one of the two'
            )
