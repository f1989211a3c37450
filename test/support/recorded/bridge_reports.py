"""What bridges to autopilots say in a bag."""

from support.recorded.bags import Raw, Scribe

KIND = 'diagnostic_msgs/msg/DiagnosticStatus'


def told(
    time: float, name: str, reason: str, key: str = 'state', topic: str = '',
    state: str = 'TRACK', **values: str,
) -> Raw:  # fmt: skip
    """Return what the bridge of a vehicle says.

    Args:
        time: When it says so [s].
        name: Of the vehicle.
        reason: Why it is in its state.
        key: Name of the value with the state.
        topic: On which it says so; empty: its own.
        state: The state.
        **values: Further values.
    """
    scribe = Scribe()
    pairs = [
        scribe.make('diagnostic_msgs/msg/KeyValue', key=one, value=text)
        for one, text in {'armed': 'true', **values, key: state}.items()
    ]
    data = scribe.bytes(
        KIND, level=0, name='autopilot bridge', message=reason, hardware_id=f'/{name}',
        values=pairs,
    )  # fmt: skip
    return Raw(topic or f'/{name}/bridge_state', KIND, round(time * 1e9), data)
