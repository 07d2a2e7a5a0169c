#!/usr/bin/env python3
"""The slider-crank of examples/models/slider_crank.toml in Exudyn, from nothing to a plotted curve.

    python -m venv exudyn && exudyn/bin/pip install exudyn matplotlib
    exudyn/bin/python benches/exudyn_slider_crank.py

The comparison in the book counts the lines between the two rules and takes the time of the whole.
"""
import time

BEGUN = time.perf_counter()
# ---
import exudyn as exu
import exudyn.graphics as graphics
import numpy as np
from exudyn.utilities import *

L1, L2, phi, w = 0.2, 0.5, np.pi / 4, 8.0
beta = -np.arcsin(L1 * np.sin(phi) / L2)
rate = -w * L1 * np.cos(phi) / (L2 * np.cos(beta))
x = L1 * np.cos(phi) + L2 * np.cos(beta)
pin = np.array([L1 * np.cos(phi), L1 * np.sin(phi)])
pin_velocity = w * np.array([-pin[1], pin[0]])
slider_velocity = pin_velocity[0] - rate * L2 * np.sin(beta)

container = exu.SystemContainer()
mbs = container.AddSystem()
ground = mbs.AddObject(ObjectGround())


def body(place, angle, velocity, rate, mass, inertia, size):
    node = mbs.AddNode(Rigid2D(referenceCoordinates=[*place, angle], initialVelocities=[*velocity, rate]))
    shape = VObjectRigidBody2D(graphicsData=[graphics.Brick(size=size)])
    number = mbs.AddObject(RigidBody2D(mass=mass, inertia=inertia, nodeNumber=node, visualization=shape))
    middle = mbs.AddMarker(MarkerBodyPosition(bodyNumber=number))
    mbs.AddLoad(Force(markerNumber=middle, loadVector=[0, -9.81 * mass, 0]))
    return node, number, middle


def bar(length, mass, angle, start, velocity, rate):
    along = 0.5 * length * np.array([np.cos(angle), np.sin(angle)])
    across = rate * np.array([-along[1], along[0]])
    size = [length, 0.03, 0.03]
    _, number, _ = body(start + along, angle, velocity + across, rate, mass, mass * length**2 / 12, size)
    ends = [[-length / 2, 0, 0], [length / 2, 0, 0]]
    return [mbs.AddMarker(MarkerBodyPosition(bodyNumber=number, localPosition=end)) for end in ends]


crank = bar(L1, 1.0, phi, np.zeros(2), np.zeros(2), w)
rod = bar(L2, 2.0, beta, pin, pin_velocity, rate)
slider_node, _, slider = body([x, 0], 0, [slider_velocity, 0], 0, 1.0, 1e-3, [0.08, 0.05, 0.05])
fixed = mbs.AddMarker(MarkerBodyPosition(bodyNumber=ground))
for first, second in [(fixed, crank[0]), (crank[1], rod[0]), (rod[1], slider)]:
    mbs.AddObject(RevoluteJoint2D(markerNumbers=[first, second]))
nothing = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
for coordinate in (1, 2):
    held = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=slider_node, coordinate=coordinate))
    mbs.AddObject(CoordinateConstraint(markerNumbers=[nothing, held]))
kind = exu.OutputVariableType.Position
sensor = mbs.AddSensor(SensorNode(nodeNumber=slider_node, outputVariableType=kind, storeInternal=True))
mbs.Assemble()

settings = exu.SimulationSettings()
settings.timeIntegration.endTime = 10
settings.timeIntegration.numberOfSteps = 10000
settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
settings.solution.sensors.writePeriod = 0.01
settings.solution.file.write = False
mbs.SolveDynamic(settings)
mbs.PlotSensor(sensor, components=[0], closeAll=True, fileName="slider.png")
# ---
print("slider at the end:", mbs.GetSensorStoredData(sensor)[-1][1])
print(f"{time.perf_counter() - BEGUN:.1f} s to the plot")
