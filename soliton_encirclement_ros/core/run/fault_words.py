"""How diagnostics begin what follows from the failure of an agent, which is an event by itself."""

DOWN = 'the agent is down'
NEIGHBOURS_LOST = 'neighbours lost'
INJECTING = 'failure injection is on'

OF_FAILURES = (DOWN, NEIGHBOURS_LOST, INJECTING)
