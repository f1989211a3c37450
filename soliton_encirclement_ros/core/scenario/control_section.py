"""The control section of a scenario; a user's own law adds its parameters."""

import functools
from collections.abc import Collection, Sequence

from velocity_mobility_ros.core.parameters import declarations

from soliton_encirclement_ros.core.laws.law_source import has_own_parameters, load_law
from soliton_encirclement_ros.core.laws.user_code import whole_name
from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES,
    ControlParameters,
)
from soliton_encirclement_ros.core.scenario.extended_record import extended


def control_record(controller: object) -> type[ControlParameters]:
    """Return the record of the control section for a controller; None: for the default one.

    Raises:
        LawError: There is no such law, or a parameter of it has a name that exists already.
    """
    if controller is None:
        return _extended(CONTROLLER_NAMES[0])
    if not has_own_parameters(controller):
        return ControlParameters
    return _extended(str(controller))


def settings_of_law(settings: Sequence[str], law: str, laws: Collection[str]) -> list[str]:
    """Return the settings that apply to a law, if several laws share one list of settings.

    Args:
        settings: Texts of the form ``section.key=value``.
        law: The law.
        laws: All laws; parameters that only other laws have are omitted.
    """
    own = declarations(control_record(law))
    others = {name for one in laws for name in declarations(control_record(one))} - set(own)
    foreign = tuple(f'control.{name}=' for name in others)
    return [setting for setting in settings if not setting.startswith(foreign)]


@functools.cache
def _extended(controller: str) -> type[ControlParameters]:
    law = load_law(whole_name(controller))
    used = ['target_relay'] if law.relays_target else []
    return extended(ControlParameters, 'controller', controller, law.parameters, used)


USUAL_CONTROL = control_record(None)
"""The record with the default law."""
