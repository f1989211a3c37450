"""Timeouts that are shorter than what they wait for."""


def short_timeout(name: str, timeout: float, period_name: str, period: float, effect: str) -> str:
    """Return what is wrong with a timeout that runs out between two messages, empty if nothing.

    Args:
        name: Name of the timeout.
        timeout: How long silence may last [s]; 0: for ever.
        period_name: Name of the period.
        period: Time between two messages [s].
        effect: What happens then.
    """
    if timeout == 0.0 or timeout >= period:
        return ''
    return (
        f'{name} = {timeout:g} s is below {period_name} = {period:g} s: {effect}; '
        f'set it to {period:g} or more'
    )
