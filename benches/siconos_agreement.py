#!/usr/bin/env python3
"""The Moreau-Jean scheme of Rotula beside that of Siconos: a ball, a pendulum and a stack.

    apt install python3-siconos        # 4.4
    cargo build --release
    python3 benches/siconos_agreement.py

Both programs take the same steps with theta = 1/2. Printed is the largest difference of positions and of
velocities over all steps; the script fails if one exceeds 1e-10.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
import siconos.kernel as kernel

GRAVITY = 9.81
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Pendulum(kernel.LagrangianDS):
    """A pendulum of length 1 and mass 1 by its angle."""

    def __init__(self, angle):
        super().__init__(np.array([angle]), np.array([0.0]), np.eye(1))
        self.setFIntPtr(np.zeros(1))
        self.setJacobianFIntqPtr(np.zeros((1, 1)))

    def computeFInt(self, time, *rest):
        angle = (rest[0] if rest else self.q())[0]
        self.fInt()[0] = GRAVITY * math.sin(angle)

    def computeJacobianFIntq(self, time, *rest):
        angle = (rest[0] if rest else self.q())[0]
        self.jacobianFIntq()[0, 0] = GRAVITY * math.cos(angle)


def masses(heights, weights):
    """Point masses above each other."""
    bodies = []
    for height, mass in zip(heights, weights):
        body = kernel.LagrangianLinearTIDS(np.array([height]), np.array([0.0]), mass * np.eye(1))
        body.setFExtPtr(np.array([-mass * GRAVITY]))
        bodies.append(body)
    return bodies


def march(bodies, contacts, step, until):
    """Positions and velocities of all bodies after every step of Siconos. A contact is a tuple of the
    bodies' numbers, its gradient, its offset and its restitution."""
    model = kernel.NonSmoothDynamicalSystem(0, until)
    for body in bodies:
        model.insertDynamicalSystem(body)
    for who, gradient, offset, restitution in contacts:
        relation = kernel.LagrangianLinearTIR(np.array([gradient]), np.array([offset]))
        interaction = kernel.Interaction(kernel.NewtonImpactNSL(restitution), relation)
        model.link(interaction, *(bodies[i] for i in who))
    grid = kernel.TimeDiscretisation(0, step)
    simulation = kernel.TimeStepping(model, grid, kernel.MoreauJeanOSI(0.5), kernel.LCP())
    simulation.setNewtonOptions(kernel.SICONOS_TS_NONLINEAR)
    simulation.setNewtonTolerance(1e-13)
    simulation.setNewtonMaxIteration(20)
    rows = []
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        rows.append([float(b.q()[0]) for b in bodies] + [float(b.velocity()[0]) for b in bodies])
        simulation.nextStep()
    return np.array(rows)


def rotula(text, names, step, until):
    """The same numbers from a model of equations in Rotula."""
    solve = f"""
[solve]
formulation = "moreau-jean"
theta = 0.5
newton.tolerance = 1e-12
step = {step}
until = {until}
"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.toml")
        with open(path, "w") as file:
            file.write(text + solve)
        program = os.path.join(HERE, "target", "release", "rotula")
        subprocess.run([program, "run", path, "--quiet", "--output", folder], check=True)
        with open(os.path.join(folder, "trajectory.csv")) as file:
            rows = list(csv.DictReader(file))
    columns = names + [f"{name}'" for name in names]
    return np.array([[float(row[column]) for column in columns] for row in rows[1:]])


def ball():
    """A ball that bounces until it rests."""
    peer = march(masses([1.0], [1.0]), [((0,), [1.0], 0.0, 0.9)], 5e-3, 10.0)
    text = f"""
coordinates.x = {{ at = 1, velocity = 0 }}
mass.x = 1
force.x = -{GRAVITY}
gap.floor = {{ gap = "x", restitution = 0.9 }}
"""
    return peer, rotula(text, ["x"], 5e-3, 10.0)


def pendulum():
    """A pendulum that hits a wall again and again."""
    peer = march([Pendulum(1.0)], [((0,), [1.0], 0.5, 0.8)], 1e-3, 5.0)
    text = f"""
coordinates.angle = {{ at = 1, velocity = 0 }}
mass.angle = 1
force.angle = "-{GRAVITY}*sin(angle)"
gap.wall = {{ gap = "angle + 0.5", restitution = 0.8 }}
"""
    return peer, rotula(text, ["angle"], 1e-3, 5.0)


def stack():
    """Three blocks of unequal mass, dropped upon each other."""
    heights, weights = [0.1, 0.3, 0.5], [1.0, 10.0, 0.2]
    contacts = [((0,), [1.0], 0.0, 0.5)]
    contacts += [((i, i + 1), [-1.0, 1.0], 0.0, 0.5) for i in range(2)]
    peer = march(masses(heights, weights), contacts, 1e-3, 2.0)
    lines = [f"coordinates.x{i} = {{ at = {x}, velocity = 0 }}" for i, x in enumerate(heights)]
    lines += [f"mass.x{i} = {m}" for i, m in enumerate(weights)]
    lines += [f"force.x{i} = {-m * GRAVITY!r}" for i, m in enumerate(weights)]
    lines += ['gap.g0 = { gap = "x0", restitution = 0.5 }']
    lines += [f'gap.g{i} = {{ gap = "x{i} - x{i - 1}", restitution = 0.5 }}' for i in (1, 2)]
    return peer, rotula("\n".join(lines), ["x0", "x1", "x2"], 1e-3, 2.0)


def main():
    agreed = True
    for problem in (ball, pendulum, stack):
        peer, own = problem()
        steps, half = min(len(peer), len(own)), peer.shape[1] // 2
        difference = np.abs(peer[:steps] - own[:steps])
        position, velocity = difference[:, :half].max(), difference[:, half:].max()
        print(f"{problem.__name__:9s} {steps:5d} steps, positions to {position:.1e}, velocities to {velocity:.1e}")
        agreed &= max(position, velocity) <= 1e-10
    sys.exit(0 if agreed else 1)


if __name__ == "__main__":
    main()
