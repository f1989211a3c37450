"""The swarm: one memory and one tick of an agent, for the engine and for nodes.

The engine has a row for every member and calls the tick from ``sim.kernel.swarm_tick.act``. The
node of an agent has a row of its own and the others as it hears them (``members``), and calls it
from ``members.own_agent.Agent.decide``. A tick of an agent, in order:

1. reception: ``reception.accept_agent`` and ``accept_target`` for the law, for the filter
   ``separation.accept_body`` and ``hear_of_silent``;
2. health: ``failures``; who is down stops (``agent.go_down``), who is up goes on in
   ``agent.steer``;
3. who counts as present: ``reception.follow``;
4. the report of the target: heard, told by others, or estimated (``target_report``);
5. what the law sees: ``agent.view_of`` with the ring (``ring.ring_of``), then the law;
6. within the limits of the vehicle; a path commands in the place of the law;
7. the separation filter (``separation.kept_apart``);
8. sending: in the engine ``sim.kernel.broadcast``, in a node ``members.inbox.tell``.

What an agent has of others is kept in four places. ``links`` are what the law uses: they time out.
``known`` is what the filter uses: nobody is forgotten. ``guard.others`` is the input of one call
of the filter. ``target_keeps`` is what the target has, in the order of first reception.

Where all agents receive the same messages, the engine stores what they know once: a ``shared``
ring and ``common`` bodies instead of links. That is a fast path of the engine; a node always has
links.
"""
