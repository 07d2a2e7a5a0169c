#!/usr/bin/env python3
"""A chain of rigid bodies in Exudyn and in Rotula, one after the other on the same machine.

    pip install exudyn numpy
    python benches/exudyn_chain.py [N ...]

Both integrate the same chain (spatial links, skew revolute joints, redundant coordinates) with the
generalized-alpha method, rho = 0.9, h = 1e-3, for one second, in one thread, with a modified Newton
iteration. Exudyn runs with its fast module, its faster linear solver for the size and a Newton
tolerance of 1e-5. Times are processor times of the whole run, the best of several. The first error is that of the tip
against a solution in minimal coordinates with 13 digits or more, or with short steps; the second one is that of the force in
the first hinge, its root mean square over the run every 10 ms relative to that of the force itself, against Rotula with short
steps. For 50 and 1000 bodies Rotula takes steps of 0.7 ms: with steps of 1 ms its error is twice that of Exudyn there (and
smaller for the others). Its Newton tolerance is the largest of 0.2, 0.05, 0.02, ... with which both errors are no larger than
those of Exudyn.
"""
import math
import os
import re
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np

LENGTH, WIDTH, MASS, GRAVITY = 0.1, 0.02, 0.1, 9.81
ROUNDS = 3
# Time between the forces that are compared.
SAMPLES = 1e-2

# Tip at t = 1, integrated in joint angles with a high-order method; from 200 on by Rotula itself with steps
# of 0.05 and 0.2 ms, which leaves about 1e-8 and 1e-7.
TIPS = {
    1: (-0.09028689759151202, 0.0, -0.04299158200508352),
    2: (0.15771203246093968, -0.015341394752762503, -0.12006317479080073),
    10: (-0.923261840744391, 0.05289164101727012, -0.13960451934398457),
    50: (0.6095735734150256, 0.01326989762837955, -4.94142030220733),
    200: (18.218941147, 0.0, -4.905),
    1000: (99.036997438, 0.0, -4.905),
}


def exudyn_chain(n):
    """Microseconds per step, tip and forces of the first hinge of the chain in Exudyn."""
    sys.exudynFast = True
    import exudyn as exu
    from exudyn import itemInterface as item
    from exudyn.rigidBodyUtilities import RigidBodyInertia

    exu.config.printToConsole = False
    exu.config.suppressWarnings = True
    container = exu.SystemContainer()
    system = container.AddSystem()
    across = MASS / 12 * (LENGTH**2 + WIDTH**2)
    tensor = np.diag([MASS / 12 * 2 * WIDTH**2, across, across])
    inertia = RigidBodyInertia(mass=MASS, com=[0, 0, 0], inertiaTensor=tensor)
    last = system.CreateGround()
    hinges = []
    for i in range(n):
        link = system.CreateRigidBody(
            inertia=inertia,
            nodeType=exu.NodeType.RotationEulerParameters,
            referencePosition=[(i + 0.5) * LENGTH, 0, 0],
            gravity=[0, 0, -GRAVITY],
        )
        angle = math.pi / 4 * (i % 4)
        hinge = system.CreateRevoluteJoint(
            bodyNumbers=[last, link],
            position=[i * LENGTH, 0, 0],
            axis=[0, math.cos(angle), math.sin(angle)],
            useGlobalFrame=True,
        )
        hinges.append(hinge[0] if isinstance(hinge, (list, tuple)) else hinge)
        last = link
    system.Assemble()
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.endTime = 1.0
    integration.numberOfSteps = 1000
    integration.verboseMode = 0
    integration.solverType = exu.DynamicSolverType.GeneralizedAlpha
    integration.generalizedAlpha.spectralRadius = 0.9
    integration.newton.useModifiedNewton = True
    integration.newton.relativeTolerance = 1e-5
    integration.newton.absoluteTolerance = 1e-7
    integration.automaticStepSize = False
    solver = exu.LinearSolverType.EigenDense if n <= 2 else exu.LinearSolverType.EigenSparse
    settings.linearSolver.solverType = solver
    settings.linearSolver.reuseAnalyzedPattern = n > 2
    settings.parallel.numberOfThreads = 1
    settings.solution.file.write = False
    settings.solution.sensors.active = False
    kind = exu.OutputVariableType.ForceLocal
    sensor = item.SensorObject(objectNumber=hinges[0], outputVariableType=kind, storeInternal=True)
    series = system.AddSensor(sensor)
    system.Assemble()
    best = math.inf
    for _ in range(5 if n <= 50 else 2):
        clock = time.process_time()
        if system.SolveDynamic(settings) is False:
            return math.nan, (math.nan,) * 3, np.array([math.nan])
        best = min(best, time.process_time() - clock)
    tip = system.GetObjectOutputBody(
        last,
        exu.OutputVariableType.Position,
        [LENGTH / 2, 0, 0],
        exu.ConfigurationType.Current,
    )
    settings.solution.sensors.active = True
    settings.solution.sensors.writePeriod = SAMPLES
    system.SolveDynamic(settings)
    forces = np.linalg.norm(system.GetSensorStoredData(series)[:, 1:], axis=1)
    return best / 1000 * 1e6, tuple(tip), forces


def rotula_chain(n, tolerance):
    """The same in Rotula, through its own benchmark program: per millisecond."""
    return rotula_run(n, {50: 0.7e-3, 1000: 0.7e-3}.get(n, 1e-3), tolerance)


def rotula_run(n, step, tolerance=2e-3):
    """A run of the benchmark program with a step and a tolerance of Newton's iteration."""
    command = ["cargo", "bench", "-q", "-p", "rotula-mechanics", "--bench", "chain", "--"]
    command += [f"{n}@{step}@{tolerance}", "forces"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    cost = float(re.search(r"([0-9.]+) µs/step", text).group(1)) * 1e-3 / step
    cost += float(re.search(r"started in ([0-9.]+) s", text).group(1)) / 1000 * 1e6
    tip = re.search(r"tip (\S+) (\S+) ([^;]+)", text).groups()
    forces = np.array(re.search(r"forces every 10 ms: (.*)", text).group(1).split(), float)
    return cost, tuple(float(x) for x in tip), forces


def main():
    sizes = [int(word) for word in sys.argv[1:]] or [1, 2, 10, 50, 200, 1000]
    print("    n | Exudyn µs/body/ms, errors of tip and force | Rotula µs/body/ms, errors of tip and force | ratio, tolerance")
    for n in sizes:
        exact = rotula_run(n, 1e-4 if n <= 200 else 2e-4, 1e-3)[2]

        def errors(run):
            # the first row is that of the start, which both compute apart
            force = run[2][1:] - exact[1:]
            return math.dist(run[1], TIPS[n]) if n in TIPS else math.nan, norm(force) / norm(exact[1:])

        norm = np.linalg.norm
        bounds = errors(exudyn_chain(n))
        tolerances = (0.2, 0.05, 0.02, 0.01, 5e-3, 2e-3)
        meets = lambda run: all(own <= bound or n not in TIPS for own, bound in zip(errors(run), bounds))
        tolerance = next((each for each in tolerances if meets(rotula_chain(n, each))), tolerances[-1])
        # In turns, and the best of each: other programs on the machine disturb both alike.
        rounds = [(exudyn_chain(n), rotula_chain(n, tolerance)) for _ in range(ROUNDS if n <= 200 else 1)]
        peer, own = (min(runs, key=lambda run: run[0]) for runs in zip(*rounds))
        say = lambda run: "{:12.2f}  {:10.1e}  {:10.1e}         ".format(run[0] / n, *errors(run))
        print(f"{n:5d} | {say(peer)} | {say(own)} | {peer[0] / own[0]:5.1f}  {tolerance}", flush=True)


if __name__ == "__main__":
    main()
