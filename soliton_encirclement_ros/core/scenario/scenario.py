"""A scenario: all parameters of a run, read from one YAML file in sections.

It is written as the text of a file with all values (``full_text``).
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files import checked_name, name_from
from soliton_encirclement_ros.core.member_paths import PlannedPath, member_paths, planned_path
from soliton_encirclement_ros.core.parameters.control_parameters import (
    ControlParameters, PropagationParameters
)
from soliton_encirclement_ros.core.parameters.renamed_parameters import with_present_names
from soliton_encirclement_ros.core.parameters.run_parameters import (
    RadioParameters, RunParameters, SafetyParameters
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, FailureParameters, MemberPath, PathChoices, SwarmParameters, VehicleChoices,
    command_limits, with_assumed_lag
)
from soliton_encirclement_ros.core.parameters.target_parameters import (
    AdversaryParameters, TargetParameters, TargetSensingParameters
)
from soliton_encirclement_ros.core.scenario.contradictions import MOST_FILTERED, scenario_warnings
from soliton_encirclement_ros.core.scenario.plugin_sections import (
    SELECTORS, expanded, member_vehicles, read_section, record_of, remaining_values,
    with_absolute_paths
)
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.scenario.scenario_checks import check_scenario
from soliton_encirclement_ros.core.scenario.user_files import read_text, read_yaml
from soliton_encirclement_ros.core.schedules import PATH_FILES
from soliton_encirclement_ros.core.stability.law_stability import (
    agent_loops, has_bound, law_warnings, swarm_factors
)
from soliton_encirclement_ros.core.stability.propagation_stability import stability_warnings
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from velocity_mobility_ros.core.environment.parameter_files import SCENARIO, kind_hint
from velocity_mobility_ros.core.parameter_declaration import (
    declarations, why_ineffective, without_effect
)
from velocity_mobility_ros.core.step_time import step_ns, whole_ratio
from velocity_mobility_ros.core.user_errors import shown
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.odometry_sensor import SensorCoefficients, sensor_coefficients


@dataclass(frozen=True)
class Scenario:
    """One scenario; every section is a validated record."""

    name: str = 'default'
    run: RunParameters = field(default_factory=RunParameters)
    swarm: SwarmParameters = field(default_factory=SwarmParameters)
    mobility: MobilityParameters = field(default_factory=MobilityParameters)
    vehicles: VehicleChoices = field(default_factory=VehicleChoices)
    paths: PathChoices = field(default_factory=PathChoices)
    safety: SafetyParameters = field(default_factory=SafetyParameters)
    control: ControlParameters = field(default_factory=record_of('control'))
    propagation: PropagationParameters = field(default_factory=PropagationParameters)
    radio: RadioParameters = field(default_factory=RadioParameters)
    failure: FailureParameters = field(default_factory=FailureParameters)
    target: TargetParameters = field(default_factory=TargetParameters)
    target_sensing: TargetSensingParameters = field(default_factory=record_of('target_sensing'))
    adversary: AdversaryParameters = field(default_factory=AdversaryParameters)

    def __post_init__(self) -> None:
        """Refuse sections that do not fit together, with a ``ScenarioError``."""
        check_scenario(self)

    @property
    def substeps(self) -> int:
        """Mobility updates per control period."""
        return whole_ratio(self.swarm.control_period, self.mobility.update_rate) or 1

    def update_ns(self, update: int) -> int:
        """Return the time of a mobility update [ns]; that of a tick is the tick's."""
        tick, rest = divmod(update, self.substeps)
        begun_ns = step_ns(tick, self.swarm.control_period)
        return step_ns(rest, self.mobility.update_rate, begun_ns)

    @property
    def ticks(self) -> int:
        """Control ticks of the whole run."""
        return max(1, round(self.run.sim_duration / self.swarm.control_period))

    @cached_property
    def own_vehicles(self) -> Mapping[str, MobilityParameters]:
        """Vehicles of the members that do not have the one of ``mobility``."""
        return member_vehicles(self.mobility, self.vehicles, self.members)

    def vehicle_of(self, member: str) -> MobilityParameters:
        """Return the vehicle of a member."""
        return self.own_vehicles.get(member, self.mobility)

    def sensor_of(self, member: str) -> SensorCoefficients:
        """Return the numbers of a member's sensor and of its command link."""
        vehicle = self.vehicle_of(member)
        return sensor_coefficients(vehicle, vehicle.update_rate, self.swarm.control_period)

    @cached_property
    def is_sensed(self) -> bool:
        """Whether any member has another sensor or command link than perfect ones."""
        return not all(self.vehicle_of(member).is_perfect for member in self.members)

    @property
    def is_estimated(self) -> bool:
        """Whether agents estimate the state of a target that broadcasts nothing."""
        return not self.target_sensing.target_broadcasts

    @cached_property
    def _usual_limits(self) -> CommandLimits:
        return command_limits(self.mobility)

    def limits_of(self, member: str) -> CommandLimits:
        """Return the limits of a member's commands: those of its vehicle, with the assumed lag."""
        own = self.own_vehicles.get(member)
        limits = self._usual_limits if own is None else command_limits(own)
        is_agent = member not in (TARGET, ADVERSARY)
        return with_assumed_lag(limits, self.vehicles.assumed_lag_factor) if is_agent else limits

    @cached_property
    def member_paths(self) -> Mapping[str, MemberPath]:
        """Paths of the members that fly one."""
        return member_paths(self.paths, self.members)

    @cached_property
    def planned_paths(self) -> Mapping[str, PlannedPath]:
        """The same, read and checked."""
        period = self.swarm.control_period
        return {
            member: planned_path(
                path, member, self.limits_of(member), period, PATH_FILES.parameter_of(member)
            )
            for member, path in self.member_paths.items()
        }

    @property
    def is_filtered(self) -> bool:
        """Whether agents keep their distance; not where an original flight is reproduced."""
        few = self.run.num_agents <= MOST_FILTERED
        return self.safety.separation_filter and self.run.rng != REFERENCE and few

    @property
    def agent_ids(self) -> range:
        """Numbers k of ``uav_k``."""
        return range(1, self.run.num_agents + 1)

    @property
    def members(self) -> tuple[str, ...]:
        """Names of all members in their order: agents, target, adversary."""
        others = (TARGET, ADVERSARY) if self.adversary.adversary_enable else (TARGET,)
        return (*map(uav, self.agent_ids), *others)

    @property
    def warnings(self) -> list[str]:
        """Warnings about valid but doubtful values."""
        return [
            *self._old_names,
            *scenario_warnings(self),
            *self._law_warnings,
            *stability_warnings(self.propagation, self.swarm.control_period),
        ]

    @property
    def _old_names(self) -> list[str]:
        """Lines about parameters that were given under old names."""
        return self.__dict__.get('_old_names_given', [])

    @property
    def _law_warnings(self) -> list[str]:
        """Warnings about gains."""
        if not has_bound(self.control):
            return []
        vehicles = {name: self.vehicle_of(name) for name in map(uav, self.agent_ids)}
        period, assumed = self.swarm.control_period, self.vehicles.assumed_lag_factor
        delay = self.radio.communication_delay + self.radio.communication_jitter
        loops = agent_loops(self.control, vehicles, period, self.substeps, delay, assumed)
        covered = self.target.protection_angle_deg
        factors = swarm_factors(self.run.num_agents, self.control.ring_hops, covered)
        return law_warnings(self.control, loops, factors)

    @property
    def idle(self) -> dict[str, str]:
        """One line per value without effect because of another value, by section and key."""
        return self._by_full_name(without_effect)

    @property
    def ineffective(self) -> dict[str, str]:
        """Why values have no effect, whatever they are, by section and key."""
        return self._by_full_name(why_ineffective)

    def _by_full_name(self, ask: Callable[..., dict[str, str]]) -> dict[str, str]:
        sections = {section: getattr(self, section) for section in SECTIONS}
        full = {key: f'{section}.{key}' for section, record in sections.items()
                for key in declarations(type(record))}  # fmt: skip
        lines = ask(sections.values(), lambda key: full[key])
        return {full[key]: line for key, line in lines.items()}

    def with_changes(self, changes: Mapping[str, Mapping[str, Any]], source: str) -> 'Scenario':
        """Return the scenario with some values replaced.

        Args:
            changes: New values by section and key.
            source: Where they come from, named in errors.
        """
        values = self.as_dict()
        present, old_names = with_present_names(changes, self.control.controller)
        for section, content in present.items():
            if isinstance(content, Mapping) and section in SECTIONS:
                content = expanded(section, content)
                known = remaining_values(section, values[section], content)
                content = {**known, **content}
            values[section] = content
        changed = scenario_from_dict(values, self.name, source)
        object.__setattr__(changed, '_old_names_given', [*self._old_names, *old_names])
        return changed._traced(self, source)

    def with_records(self, **records: Any) -> 'Scenario':
        """Return the scenario with another name, or with other records of some sections.

        Its warnings of old names, and where its values come from, stay.
        """
        changed = dataclasses.replace(self, **records)
        object.__setattr__(changed, '_old_names_given', self._old_names)
        object.__setattr__(changed, '_origins', self.origins)
        return changed

    @property
    def origins(self) -> Mapping[str, str]:
        """Where values that are not the defaults come from, by ``section.key``, if known."""
        return self.__dict__.get('_origins', {})

    def _traced(self, before: 'Scenario', source: str) -> 'Scenario':
        """Note where the values come from that another scenario did not have; return this one."""
        old, new = before.as_dict(), self.as_dict()
        changed = {
            f'{section}.{key}': source
            for section in SECTIONS
            for key, value in new[section].items()
            if key not in old[section] or old[section][key] != value
        }
        object.__setattr__(self, '_origins', {**before.origins, **changed})
        return self

    def as_dict(self) -> dict[str, Any]:
        """Return every value by section and key; plain types only."""
        return dataclasses.asdict(self)


SECTIONS: dict[str, Any] = {
    section.name: section.default_factory
    for section in dataclasses.fields(Scenario)
    if section.name != 'name'
}


def load_scenario(path: Path) -> Scenario:
    """Read a scenario file.

    Raises:
        ScenarioError: The file cannot be read or is not a valid scenario; the reason is in one
            line.
    """
    content = with_absolute_paths(read_yaml(read_text(path, 'scenario'), path), path.parent)
    if content is None:
        raise ScenarioError(f'{path}: is empty; for the defaults write {{}}')
    scenario = scenario_from_dict(content, name_from(path, 'scenario'), str(path))
    return scenario._traced(Scenario(), str(path))


def scenario_of_run(content: Mapping[str, Any], source: str) -> Scenario:
    """Make the scenario of a run from what its folder says; a recording starts no code.

    Args:
        content: Mapping of sections, and ``name``.
        source: Where the content comes from, named in errors.

    Raises:
        ScenarioError: A section, key or value is refused, or it is code nobody has named.
    """
    _refuse_code(content, source)
    return scenario_from_dict(dict(content), 'run', source)


def _refuse_code(content: Mapping[str, Any], source: str) -> None:
    """Refuse code that the content of a recording names, at any depth, and the user has not."""
    for selector in SELECTORS.values():
        chosen = content.get(selector.key)
        if not selector.known.is_trusted(chosen):
            raise ScenarioError(
                f'{source}: {selector.key} = {str(chosen)[-150:]!r} is code that this recording '
                'names: if it is yours, name its file too, with --code'
            )
    for values in content.values():
        if isinstance(values, Mapping):
            _refuse_code(values, source)


def scenario_from_dict(content: Any, name: str, source: str) -> Scenario:
    """Make a scenario from plain data.

    Args:
        content: Mapping of sections, and optionally ``name``.
        name: Name to use when the content gives none.
        source: Where the content comes from, named in errors.

    Raises:
        ScenarioError: A section, key or value is refused.
    """
    if not isinstance(content, Mapping):
        raise ScenarioError(f'{source}: a scenario is a mapping of sections, not {shown(content)}')
    content, old_names = with_present_names(content)
    for section in content:
        if section not in SECTIONS and section != 'name':
            allowed = f'; allowed sections are {", ".join(["name", *SECTIONS])}'
            hint = kind_hint(content, SCENARIO) or allowed
            raise ScenarioError(f'{source}: unknown section {shown(section)}{hint}')
    name = checked_name(content.get('name', name), source)
    try:
        scenario = Scenario(
            name,
            **{
                key: read_section(record, content, key, source) for key, record in SECTIONS.items()
            },
        )
    except ScenarioError as error:
        prefix = '' if str(error).startswith(source) else f'{source}: '
        raise ScenarioError(f'{prefix}{error}') from None
    object.__setattr__(scenario, '_old_names_given', old_names)
    return scenario


COLUMN = 46
"""Column of the comments [characters]."""


def full_text(scenario: Scenario) -> str:
    """Return a scenario file with all values, their units and meanings."""
    lines = [f'name: {scenario.name}']
    for section in SECTIONS:
        lines.append(f'\n{section}:')
        values = getattr(scenario, section)
        for name, declared in declarations(type(values)).items():
            setting = f'  {name}: {_scalar(getattr(values, name))}'
            unit = f' [{declared.unit}]' if declared.unit else ''
            lines.append(f'{setting:{COLUMN}}  # {declared.meaning}{unit}')
    return '\n'.join([*lines, ''])


def _scalar(value: Any) -> str:
    """Return a value as YAML in one line."""
    if value is None:
        return 'none'
    return yaml.safe_dump(value, width=10_000).partition('\n...')[0].strip()
