"""Check of a timeout against the period of its messages."""


def short_timeout(name: str, timeout: float, period_name: str, period: float, effect: str) -> str:
    """Return a warning for a timeout shorter than the period of its messages, else empty.

    Args:
        name: Name of the timeout.
        timeout: The timeout [s]; 0: none.
        period_name: Name of the period.
        period: Time between two messages [s].
        effect: The consequence.
    """
    if timeout == 0.0 or timeout >= period:
        return ''
    return (
        f'{name} = {timeout:g} s is below {period_name} = {period:g} s: {effect}; '
        f'set it to {period:g} or more'
    )
