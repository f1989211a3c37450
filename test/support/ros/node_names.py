"""What the nodes are called, by their executable."""

from soliton_encirclement_ros.cli.executables import MODULES

SHORT = ('agent', 'target', 'adversary', 'safety', 'world', 'monitor', 'recorder', 'twist_limiter')
"""Names of nodes without the ending of their executable."""

NODE_NAMES = {
    executable: name if (name := executable.removesuffix('_node')) in SHORT else executable
    for executable in MODULES
    if executable != 'node_host'
}
