"""The propagation section of a scenario; a user's own layer adds its parameters."""

import functools

from soliton_encirclement_ros.core.laws.layer_source import is_foreign_layer, load_layer
from soliton_encirclement_ros.core.laws.user_code import whole_name
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.scenario.extended_record import extended


def propagation_record(method: object) -> type[PropagationParameters]:
    """Return the record of the propagation section for a layer.

    Raises:
        LawError: There is no such layer, or a parameter of it has a name that exists already.
    """
    if not is_foreign_layer(method):
        return PropagationParameters
    return _extended(str(method))


@functools.cache
def _extended(method: str) -> type[PropagationParameters]:
    own = load_layer(whole_name(method)).parameters
    return extended(PropagationParameters, 'propagation_method', method, own)
