"""The law `soliton` with the neighbours where they were when they sent their states."""

from soliton_encirclement_ros.controllers import soliton

LAW = soliton.SOLITON._replace(dead_reckoning=False)
