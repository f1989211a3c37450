"""What the original experiment could fly: a run with its numbers asks for nothing else."""

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.failure_parameters import FailureParameters
from soliton_encirclement_ros.core.parameters.radio_parameters import RadioParameters
from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE


def check_reference(
    run: RunParameters, radio: RadioParameters, failure: FailureParameters
) -> None:
    """Refuse what the original's queue of events knows nothing of.

    Raises:
        ScenarioError: A run with its random numbers asks for such a thing.
    """
    if run.rng != REFERENCE:
        return
    unknown = {
        'radio.communication_jitter': radio.communication_jitter,
        'radio.partitions': radio.partitions.strip(),
        'radio.byzantine': radio.byzantine.strip(),
        'failure.failure_schedule': failure.failure_schedule.strip(),
    }
    for name, value in unknown.items():
        if value:
            raise ScenarioError(
                f"{name} = {value!r} with run.rng = '{REFERENCE}': the original experiment knows "
                'no such thing; leave one of them out'
            )
