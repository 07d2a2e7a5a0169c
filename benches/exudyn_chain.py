#!/usr/bin/env python3
"""A chain of rigid bodies in Exudyn and in Rotula, one after the other on the same machine.

    pip install exudyn numpy
    python benches/exudyn_chain.py [N ...]

Both integrate the same chain (spatial links, skew revolute joints, redundant coordinates) with the
generalized-alpha method, rho = 0.9, h = 1e-3, for one second, in one thread, with a modified Newton
iteration. Exudyn runs with its fast module, its faster linear solver for the size and a Newton
tolerance of 1e-5. Times are processor times of the whole run, the best of several. The error is that of the tip
against a solution in minimal coordinates with 13 digits or more, or with short steps; the second error is that of the force in
the first hinge at the end, relative to it, against Rotula with short steps. For 50 and 1000 bodies Rotula
takes steps of 0.7 ms: with steps of 1 ms its error is twice that of Exudyn there (and smaller for the others).
Its Newton tolerance is the largest of 1e-2, 5e-3 and 2e-3 with which both errors are no larger than those of Exudyn.
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
    """Microseconds per step, tip and force of the first hinge of the chain in Exudyn."""
    sys.exudynFast = True
    import exudyn as exu
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
    best = math.inf
    for _ in range(5 if n <= 50 else 2):
        clock = time.process_time()
        if system.SolveDynamic(settings) is False:
            return math.nan, (math.nan,) * 3, math.nan
        best = min(best, time.process_time() - clock)
    tip = system.GetObjectOutputBody(
        last,
        exu.OutputVariableType.Position,
        [LENGTH / 2, 0, 0],
        exu.ConfigurationType.Current,
    )
    force = system.GetObjectOutput(hinges[0], exu.OutputVariableType.ForceLocal)
    return best / 1000 * 1e6, tuple(tip), float(np.linalg.norm(force))


def rotula_chain(n):
    """The same in Rotula, through its own benchmark program: per millisecond."""
    return rotula_run(n, {50: 0.7e-3, 1000: 0.7e-3}.get(n, 1e-3), 1e-2 if n <= 50 else 5e-3)


def rotula_run(n, step, tolerance=2e-3):
    """A run of the benchmark program with a step and a tolerance of Newton's iteration."""
    command = ["cargo", "bench", "-q", "-p", "rotula-mechanics", "--bench", "chain", "--", f"{n}@{step}@{tolerance}"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    cost = float(re.search(r"([0-9.]+) µs/step", text).group(1)) * 1e-3 / step
    cost += float(re.search(r"started in ([0-9.]+) s", text).group(1)) / 1000 * 1e6
    tip = re.search(r"tip (\S+) (\S+) ([^;]+)", text).groups()
    force = float(re.search(r"first hinge (\S+)", text).group(1))
    return cost, tuple(float(x) for x in tip), force


def main():
    sizes = [int(word) for word in sys.argv[1:]] or [1, 2, 10, 50, 200, 1000]
    print("    n | Exudyn µs/body/ms, errors of tip and force | Rotula µs/body/ms, errors of tip and force | ratio")
    for n in sizes:
        # In turns, and the best of each: other programs on the machine disturb both alike.
        rounds = [(exudyn_chain(n), rotula_chain(n)) for _ in range(ROUNDS if n <= 200 else 1)]
        (peer, peer_tip, peer_force), (own, own_tip, own_force) = (min(runs) for runs in zip(*rounds))
        exact = rotula_run(n, 1e-4 if n <= 200 else 2e-4)[2]
        error = lambda tip: math.dist(tip, TIPS[n]) if n in TIPS else math.nan
        of_force = lambda force: abs(force / exact - 1)
        print(
            f"{n:5d} | {peer / n:12.2f}  {error(peer_tip):10.1e}  {of_force(peer_force):10.1e}          | "
            f"{own / n:12.2f}  {error(own_tip):10.1e}  {of_force(own_force):10.1e}          | {peer / own:5.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
