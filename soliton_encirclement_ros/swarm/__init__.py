"""The swarm: one memory and one tick of an agent, for the engine and for nodes.

The engine has a row for every member and calls the tick from ``sim.kernel.swarm_tick.act``. The
node of an agent has a row of its own and the others as received (``members``), and calls it from
``members.own_agent.Agent.decide``. A tick of an agent, in order:

1. reception: ``reception.accept_agent`` and ``accept_target`` for the law, for the filter
   ``separation.accept_body`` and ``merge_gossip``;
2. health: ``failures``; an agent that is down stops (``agent.go_down``), others go on in
   ``agent.steer``;
3. which agents count as present: ``reception.follow``;
4. the report of the target: received, relayed, or estimated (``target_report``);
5. the inputs of the law: ``agent.view_of`` with the ring (``ring.ring_of``), then the law;
6. within the limits of the vehicle; a path commands in the place of the law;
7. the separation filter (``separation.filter_command``);
8. sending: in the engine ``sim.kernel.broadcast``, in a node ``members.inbox.write_message``.

States of other members are stored in four places. ``links`` are for the law: they time out.
``known`` is for the filter: it never expires. ``guard.others`` is the input of one call of the
filter. ``target_cache`` are the agents that the target receives, in order of first reception.

Where all agents receive the same messages, the engine stores them once: a ``shared`` ring and
``common`` bodies instead of links. That is a fast path of the engine; a node always has links.
"""
