"""A simulation ready to fly: alone, or published on ROS topics."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Optional

from velocity_mobility_ros.core.errors import MobilityError

from soliton_encirclement_ros.cli.live.run_page import streaming
from soliton_encirclement_ros.cli.processes.batch_runner import Job
from soliton_encirclement_ros.cli.processes.domain import DomainClaim, domain
from soliton_encirclement_ros.cli.processes.ros_start import set_environment
from soliton_encirclement_ros.cli.processes.unbegun_run import remove_run_folder
from soliton_encirclement_ros.core.states.swarm_topics import Fleet
from soliton_encirclement_ros.sim import Simulation
from soliton_encirclement_ros.sim.engine import Pace


class Publication(NamedTuple):
    """How a flight is published: names of the swarm, members that fly elsewhere, and a stream."""

    fleet: Fleet
    external: tuple[str, ...] = ()
    stream: Optional[str] = None


class OpenedFlight(NamedTuple):
    """A simulation, its run folder, and the pace at which it flies; None: as fast as it can."""

    simulation: Simulation
    folder: Path
    pace: Pace | None = None


@contextmanager
def opened(job: Job, publication: Optional[Publication]) -> Iterator[OpenedFlight]:
    """Create the folder of a run, and its simulation.

    Args:
        job: The run.
        publication: How it is published; None: it is not.

    Raises:
        MobilityError: ROS does not start; there is no folder then.
    """
    if publication is None:
        folder = job.folder()
        alone = Simulation(job.scenario, folder, job.recording, is_compiled=job.is_compiled)
        yield OpenedFlight(alone, folder)
        return
    from soliton_encirclement_ros.cli.publishing.published_flight import PublishedFlight

    fleet, external, stream = publication
    radius = job.scenario.swarm.encirclement_radius
    with DomainClaim(domain(), fleet), streaming(stream, fleet, radius):
        folder = job.folder()
        set_environment(folder)
        published = PublishedFlight(job.scenario, fleet, external)
        try:
            published.start()
        except MobilityError:
            remove_run_folder(folder)
            raise
        try:
            node = published.node
            simulation = Simulation(
                job.scenario, folder, job.recording, node.take, external, job.is_compiled
            )
            node.engine = simulation.engine
            yield OpenedFlight(simulation, folder, published.pace)
        finally:
            published.end()
