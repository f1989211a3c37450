"""The law `predictive` with the neighbours where they were when they sent their states."""

from soliton_encirclement_ros.controllers import soliton

LAW = soliton.PREDICTIVE._replace(dead_reckoning=False)
