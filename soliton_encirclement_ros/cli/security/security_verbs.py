"""``swarm security``: policies of SROS2 for a fleet, keys for its computers, and revocations."""

import os
from pathlib import Path
from typing import Optional

import typer

from soliton_encirclement_ros.cli.app import require_verb
from soliton_encirclement_ros.cli.options import INTEGER, PATH
from soliton_encirclement_ros.cli.scenario_verbs import (
    AGENTS, NAMESPACE, SCENARIO_HELP, SETTINGS, VEHICLE, read_scenario
)
from soliton_encirclement_ros.cli.views.terminal_display import print_rows
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.launch_arguments import PX4, VEHICLE_KINDS
from soliton_encirclement_ros.core.scenario.part_plan import Kinds, chosen_kinds
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import named_fleet

app = typer.Typer(
    help='Write security policies of a fleet, its keys, and who is revoked.', add_completion=False
)
app.callback(invoke_without_command=True)(require_verb)

KEYSTORE = typer.Argument(
    click_type=PATH, help='Folder of the keys; stays on the laptop that makes them.'
)
HEAD = ('enclave', 'nodes', 'publish', 'subscribe', 'serve', 'call')


@app.command('policy')
def write_policy(
    scenario: str = typer.Argument(help=SCENARIO_HELP),
    kind: list[str] = typer.Option(
        [PX4], '--kind',
        help='Kind of all vehicles, such as px4, or px4:1,2 of some; may be repeated.',
    ),
    first_instance: int = typer.Option(
        1, click_type=INTEGER, help='Instance of the PX4 of uav_1, as for the launch files.'
    ),
    add: list[str] = typer.Option(
        [], '--add', help='MEMBER/EXECUTABLE of a further node, such as uav_3/trajectory_node.',
        show_default=False,
    ),
    namespace: str = NAMESPACE,
    agents: Optional[int] = AGENTS,
    settings: list[str] = SETTINGS,
    vehicle: Optional[str] = VEHICLE,
    out: Path = typer.Option(Path('policies'), click_type=PATH, help='Folder to write to.'),
) -> int:
    """Write one policy for each computer of a flight, and a table of what each node may do."""
    from soliton_encirclement_ros.cli.security.policies import (
        fleet_policies, flight_plan, further_node, write_policies
    )

    read = read_scenario(scenario, settings, vehicle=vehicle, num_agents=agents)
    fleet, kinds = named_fleet(namespace, '--namespace'), vehicle_kinds(kind, read)
    further = [further_node(text, read) for text in add]
    plan = flight_plan(read, kinds, first_instance, further)
    policies = fleet_policies(plan, kinds, fleet)
    write_policies(out, policies, fleet)
    rows = []
    for enclave, profiles in policies.items():
        counts = [len(frozenset().union(*(one.allowed[k] for one in profiles))) for k in range(4)]
        nodes = ' '.join(profile.node for profile in profiles)
        rows.append((fleet.full_name(enclave), nodes, *map(str, counts)))
    print_rows(HEAD, rows)
    typer.echo(f'policies: {out}; next: swarm security enclave KEYSTORE {out}')
    return 0


def vehicle_kinds(texts: list[str], scenario: Scenario) -> Kinds:
    """Return the vehicle of each agent from texts such as ``px4`` or ``px4:1,2``.

    Raises:
        ScenarioError: There is no such kind or agent, or an agent has two vehicles.
    """
    everybody = ','.join(map(str, scenario.agent_ids))
    given = {}
    for text in texts:
        kind, _, numbers = text.partition(':')
        if kind not in VEHICLE_KINDS:
            raise ScenarioError(
                f'--kind {text}: must be KIND or KIND:1,2 with a kind of '
                f'{", ".join(VEHICLE_KINDS)}'
            )
        given[kind] = numbers or everybody
    return chosen_kinds(given, scenario)


@app.command('enclave')
def create_enclave(
    keystore: Path = KEYSTORE,
    policies: list[Path] = typer.Argument(
        click_type=PATH, help='Policies, or a folder of them, from `swarm security policy`.'
    ),
) -> int:
    """Make keys and signed permissions with SROS2, for this ROS_DOMAIN_ID."""
    from soliton_encirclement_ros.cli.security.keystore import COMPUTERS, create_enclaves

    files = [file for path in policies for file in policy_files(path)]
    names = create_enclaves(keystore, files)
    for name in names:
        typer.echo(f'{name}: copy {keystore / COMPUTERS / name.strip("/").replace("/", "_")}')
    typer.echo(
        f'{len(names)} enclaves in domain {os.environ.get("ROS_DOMAIN_ID", "0")}; on each '
        'computer: export ROS_SECURITY_ENABLE=true ROS_SECURITY_STRATEGY=Enforce '
        'ROS_SECURITY_KEYSTORE=~/ITS_FOLDER ROS_SECURITY_ENCLAVE_OVERRIDE=/ITS_ENCLAVE'
    )
    return 0


def policy_files(path: Path) -> list[Path]:
    """Return the policies in a folder, or the file itself.

    Raises:
        ScenarioError: There is none.
    """
    files = sorted(path.glob('*.policy.xml')) if os.path.isdir(path) else [path]
    if not files or not os.path.isfile(files[0]):
        raise ScenarioError(f'{path}: no *.policy.xml there; `swarm security policy` writes them')
    return files


@app.command('revoke')
def revoke(
    keystore: Path = KEYSTORE,
    enclaves: list[str] = typer.Argument(help='Enclaves to take out, such as /uav_3.'),
) -> int:
    """Take computers out: no process that starts from then on trusts their keys.

    Copy the folders of all other computers again, and start their processes again: one that runs
    goes on to trust whom it trusted.
    """
    from soliton_encirclement_ros.cli.security.keystore import COMPUTERS, revoke_enclaves

    revoked = revoke_enclaves(keystore, [f'/{name.strip("/")}' for name in enclaves])
    typer.echo(
        f'revoked: {", ".join(revoked)}; copy {keystore / COMPUTERS} to the other computers and '
        'start all processes there again, which until then still trust them'
    )
    return 0
