"""Names that sections and parameters of scenarios had before.

Scenario files, settings, sweeps and parameters of nodes may use them until version 0.2; a warning
names the present ones. Manifests of runs may use them for good. Users find all of them in
``docs/reference/renamed.md``.
"""

from collections.abc import Mapping
from typing import Any

from soliton_encirclement_ros.core.parameters.control_parameters import PREDICTIVE

RENAMED_SECTIONS = {'sight': 'target_sensing'}
"""Present names of sections by old ones."""

RENAMED = {
    'control': {
        'k_radius': 'k_r',
        'k_spacing': 'k_s',
        'k_velocity': 'k_v',
        'hops': 'ring_hops',
        'radius_acc': 'approach_share',
        'spacing_acc': 'spacing_share',
        'target_acc': 'target_acc_deviation',
        'target_acc_memory': 'target_acc_time',
        'target_acc_used': 'target_acc_share',
    },
    'safety': {'silent_run_on': 'silent_flight_time'},
    'target_sensing': {'cooperative': 'target_broadcasts'},
}
"""Present names of parameters by old ones, by section."""


def present_section(name: str) -> str:
    """Return the present name of a section."""
    return RENAMED_SECTIONS.get(name, name)


def renamed_parameters(section: str, law: object = None) -> Mapping[str, str]:
    """Return the present names of the parameters of a section by old ones.

    Args:
        section: Present name of the section.
        law: The law that they are for, None for the default; only ``predictive`` had old names.
    """
    if section == 'control' and law not in (None, PREDICTIVE):
        return {}
    return RENAMED.get(section, {})


def present_name(name: str, law: object = None) -> str:
    """Return the present name of a parameter, both as ``section.key``."""
    section, dot, key = name.partition('.')
    section = present_section(section)
    return f'{section}{dot}{renamed_parameters(section, law).get(key, key)}'


def with_present_names(
    content: Mapping[str, Any], law: object = None
) -> tuple[dict[str, Any], list[str]]:
    """Return values under present names, and a line per section that had old ones.

    What is given under its present name counts, whatever an old name says.

    Args:
        content: Values by section and key.
        law: The law that they are for, if they do not select one.
    """
    control = content.get('control')
    if isinstance(control, Mapping):
        law = control.get('controller', law)
    present: dict[str, Any] = {}
    lines = []
    for section in sorted(content, key=lambda name: name not in RENAMED_SECTIONS):
        values, new = content[section], present_section(section)
        before = present.get(new)
        names = [] if new == section else [(section, new)]
        if isinstance(values, Mapping):
            keys = {old: key for old, key in renamed_parameters(new, law).items() if old in values}
            names += [(f'{section}.{old}', f'{new}.{key}') for old, key in keys.items()]
            values = {
                **(before if isinstance(before, Mapping) else {}),
                **{key: values[old] for old, key in keys.items()},
                **{key: value for key, value in values.items() if key not in keys},
            }
        present[new] = values
        if names:
            pairs = ', '.join(f'{old} is now {name}' for old, name in names)
            lines.append(f'{pairs}; rename {"them" if len(names) > 1 else "it"}')
    return present, lines
