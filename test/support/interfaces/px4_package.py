"""The files of px4_msgs of a release: fields, and the constants that bridges use by name."""

from support.interfaces.px4_fields import all_definitions, has_version

REASONS = (
    'TRANSITION_TO_STANDBY', 'STICK_GESTURE', 'RC_SWITCH', 'COMMAND_INTERNAL',
    'COMMAND_EXTERNAL', 'MISSION_START', 'SAFETY_BUTTON', 'AUTO_DISARM_LAND',
    'AUTO_DISARM_PREFLIGHT', 'KILL_SWITCH', 'LOCKDOWN', 'FAILURE_DETECTOR', 'SHUTDOWN',
    'UNIT_TEST',
)  # fmt: skip
"""Why it armed or disarmed, in the order of their numbers, up to 1.17."""

NEW_REASONS = {
    'STICK_GESTURE': 1, 'RC_SWITCH': 2, 'COMMAND_INTERNAL': 3, 'COMMAND_EXTERNAL': 4,
    'MISSION_START': 5, 'LANDING': 6, 'PREFLIGHT_INACTION': 7, 'KILL_SWITCH': 8,
    'RC_BUTTON': 13, 'FAILSAFE': 14,
}  # fmt: skip
"""From 1.18 on."""

SERVICE = 'VehicleCommand request\n---\nVehicleCommandAck reply\n'


def reasons(release: str) -> dict[str, int]:
    """Return the numbers of the reasons by name."""
    if release == '1.18':
        return NEW_REASONS
    numbers = {name: number for number, name in enumerate(REASONS)}
    if release in ('1.14', '1.15'):
        numbers = {'RC_STICK' if name == 'STICK_GESTURE' else name: numbers[name]
                   for name in numbers}  # fmt: skip
    return numbers


def constants(name: str, release: str) -> list[str]:
    """Return the lines of a message's constants."""
    lines = []
    if has_version(name, release):
        lines.append(f'uint32 MESSAGE_VERSION = {all_definitions(release)[name].version}')
    if name == 'VehicleStatus':
        lines += [
            f'uint8 ARM_DISARM_REASON_{reason} = {number}'
            for reason, number in reasons(release).items()
        ]
    return lines


def px4_files(release: str) -> dict[str, str]:
    """Return the text of the files of px4_msgs by their path in the package."""
    files = {}
    for name, definition in all_definitions(release).items():
        fields = [f'{kind} {field}' for field, kind in definition.fields.items()]
        files[f'msg/{name}.msg'] = '\n'.join([*constants(name, release), *fields, ''])
    if release != '1.14':
        files['srv/VehicleCommand.srv'] = SERVICE
    return files
