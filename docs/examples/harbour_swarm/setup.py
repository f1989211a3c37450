"""Names the law and the vehicle, so that every command and node finds them."""

from setuptools import setup

PACKAGE = 'harbour_swarm'

setup(
    name=PACKAGE,
    version='0.1.0',
    description="Example: a law and a vehicle of one's own for soliton_encirclement_ros.",
    maintainer='Soliton Encirclement Maintainers',
    maintainer_email='maintainers@example.org',
    license='MIT',
    packages=[PACKAGE],
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{PACKAGE}']),
        (f'share/{PACKAGE}', ['package.xml']),
    ],
    install_requires=['soliton_encirclement_ros'],
    entry_points={
        'soliton_encirclement_ros.laws': [f'repulsion = {PACKAGE}.repulsion:LAW'],
        'velocity_mobility_ros.vehicles': [f'boat = {PACKAGE}.boat:BOAT'],
    },
    zip_safe=False,
)
