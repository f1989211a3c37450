"""Parameters of the simulated radio."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter


@dataclass(frozen=True)
class RadioParameters(Parameters):
    """Radio medium between the members; docs/radio.md explains the syntax of the schedules."""

    communication_transmission_range: float = parameter(
        200.0, 'radio range', unit='m', minimum=0.0
    )
    communication_delay: float = parameter(
        0.0, 'message delay', unit='s', minimum=0.0, maximum=60.0
    )
    communication_jitter: float = parameter(
        0.0, 'largest random addition to the delay', unit='s', minimum=0.0, maximum=60.0
    )
    communication_failure_rate: float = parameter(
        0.0, 'probability that a receiver loses a message', minimum=0.0, maximum=1.0
    )
    clock_offset: float = parameter(
        0.0, "standard deviation of the members' clocks, by which messages are stamped",
        unit='s', minimum=0.0, maximum=60.0,
    )  # fmt: skip
    partitions: str = parameter('', 'groups without a link, such as "20..40: 1 2 | 3 4"')
    byzantine: str = parameter(
        '', 'members that send false states, such as "30..60: 2 offset 5 -3"'
    )

    @property
    def is_prompt(self) -> bool:
        """Whether no message is lost at random or delayed, and all clocks agree."""
        return (
            self.communication_delay == 0.0
            and self.communication_jitter == 0.0
            and self.communication_failure_rate == 0.0
            and self.clock_offset == 0.0
        )

    @property
    def is_ideal(self) -> bool:
        """Whether all members in range receive every message at once, unaltered."""
        scheduled = self.partitions.strip() or self.byzantine.strip()
        return self.is_prompt and not scheduled
