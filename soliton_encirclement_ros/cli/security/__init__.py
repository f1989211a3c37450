"""``swarm security``: what each node may say and hear, as policies, keys and revocations."""
