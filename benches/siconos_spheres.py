#!/usr/bin/env python3
"""Spheres dropped into a box, in Siconos and in Rotula, one after the other on the same machine.

    apt install python3-siconos        # 4.4
    python3 benches/siconos_spheres.py [--until SECONDS] [N ...]

Spheres of radius 0.05 and density 2000 fall in crooked layers into a box of one square metre, with friction
0.3 and no restitution. Both programs take steps of 5e-3 s of the Moreau-Jean scheme with theta = 1/2 in one
thread, and find their impulses by Gauss-Seidel sweeps to a relative tolerance of 1e-3 in the Euclidean norm.
Siconos stops after 200 sweeps, converged or not; Rotula accepts nothing unconverged. Times are processor times
per 5e-3 s of motion: of the steps alone in Siconos (as packaged), of the whole run with reading and writing in
Rotula.

Rotula lets a contact act when half a step closes its gap, so that spheres that meet with a speed v overlap by up
to v h. Siconos takes contacts of its collision library up to half a step earlier, and overlaps by half as much.
So Rotula runs with half the step as well: then the overlaps are comparable.

At the end of the run are printed: number of contacts with an impulse, deepest overlap of two spheres and with
the floor, kinetic energy of the translation, mean height.
"""
import argparse
import csv
import json
import os
import resource
import subprocess
import tempfile
import time
from math import pi, sin

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("RAYON_NUM_THREADS", "1")

import numpy as np
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.mechanics.collision import RigidBodyDS, SiconosBox, SiconosContactor
from siconos.mechanics.collision import SiconosContactorSet, SiconosSphere
from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

RADIUS, DENSITY, FRICTION, GRAVITY, STEP, TOLERANCE = 0.05, 2000.0, 0.3, 9.81, 5e-3, 1e-3
MASS = 4 / 3 * pi * RADIUS**3 * DENSITY
MOST_SWEEPS = 200
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def start(n):
    def place(k):
        x = 0.08 + 0.12 * (k % 8) + 0.01 * sin(12.9898 * k)
        y = 0.08 + 0.12 * (k // 8 % 8) + 0.01 * sin(78.233 * k)
        return [x, y, 0.10 + 0.12 * (k // 64)]

    return np.array([place(k) for k in range(n)])


def describe(places, velocities):
    """Deepest overlaps, kinetic energy and mean height."""
    distance = np.linalg.norm(places[:, None] - places[None], axis=2) + 10 * np.eye(len(places))
    return {
        "overlap": 2 * RADIUS - distance.min(),
        "floor": RADIUS - places[:, 2].min(),
        "kinetic": 0.5 * MASS * (velocities**2).sum(),
        "height": places[:, 2].mean(),
    }


def siconos(n, until):
    """Seconds of all steps and what the end looks like."""
    model = kernel.NonSmoothDynamicalSystem(0, until)
    shape = SiconosSphere(RADIUS)
    shape.setInsideMargin(0.0)
    shape.setOutsideMargin(0.0)
    bodies, kept = [], []
    for place in start(n):
        inertia = np.eye(3) * (0.4 * MASS * RADIUS**2)
        body = RigidBodyDS([*place, 1, 0, 0, 0], [0] * 6, MASS, inertia)
        contactors = SiconosContactorSet()
        contactors.append(SiconosContactor(shape))
        body.setContactors(contactors)
        body.setFExtPtr([0, 0, -GRAVITY * MASS])
        model.insertDynamicalSystem(body)
        bodies.append(body)
    options = SiconosBulletOptions()
    options.worldScale = 1.0
    options.contactBreakingThreshold = 0.005
    options.perturbationIterations = 0
    options.minimumPointsPerturbationThreshold = 0
    manager = SiconosBulletCollisionManager(options)
    manager.insertNonSmoothLaw(kernel.NewtonImpactFrictionNSL(0.0, 0.0, FRICTION, 3), 0, 0)
    walls = [((3, 3, 0.5), (0.5, 0.5, -0.25))]
    walls += [((0.5, 3, 6), (x, 0.5, 2)) for x in (-0.25, 1.25)]
    walls += [((3, 0.5, 6), (0.5, y, 2)) for y in (-0.25, 1.25)]
    for size, place in walls:
        wall = SiconosBox(*size)
        wall.setInsideMargin(0.01)
        wall.setOutsideMargin(0.0)
        contactors = SiconosContactorSet()
        contactors.append(SiconosContactor(wall))
        manager.insertStaticContactorSet(contactors, [*place, 1, 0, 0, 0])
        kept.append((wall, contactors))
    problem = kernel.FrictionContact(3, numerics.SICONOS_FRICTION_3D_NSGS)
    solver = problem.numericsSolverOptions()
    solver.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = MOST_SWEEPS
    solver.dparam[numerics.SICONOS_DPARAM_TOL] = TOLERANCE
    problem.setMaxSize(10000)
    problem.setMStorageType(1)
    problem.setNumericsVerboseMode(False)
    problem.setKeepLambdaAndYState(True)
    simulation = kernel.TimeStepping(model, kernel.TimeDiscretisation(0, STEP))
    simulation.insertIntegrator(kernel.MoreauJeanOSI(0.5))
    simulation.insertNonSmoothProblem(problem)
    simulation.insertInteractionManager(manager)
    simulation.setNewtonOptions(kernel.SICONOS_TS_LINEAR)
    simulation.setNewtonMaxIteration(1)
    clock = time.process_time()
    unconverged = 0
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        contacts = problem.getSizeOutput() // 3
        unconverged += contacts > 0 and solver.dparam[numerics.SICONOS_DPARAM_RESIDU] > TOLERANCE
        simulation.nextStep()
    seconds = time.process_time() - clock
    places = np.array([body.q()[:3] for body in bodies])
    velocities = np.array([body.twist()[:3] for body in bodies])
    contacts = int((np.abs(problem.z()).reshape(-1, 3)[:contacts, 0] > 0).sum())
    end = {"contacts": contacts, "unconverged": int(unconverged)}
    return seconds * STEP / until, end | describe(places, velocities)


def rotula(n, until, step):
    """The same in Rotula, from a model file."""
    places = ",\n".join(repr([float(x) for x in place]) for place in start(n))
    text = f"""
gravity = [0, 0, -{GRAVITY}]
[swarm.grain]
radius = {RADIUS}
density = {DENSITY}
at = [{places}]
container = [[0, 0, 0], [1, 1, 4]]
restitution = 0
friction = {FRICTION}
[solve]
formulation = "moreau-jean"
theta = 0.5
newton = {{ tolerance = {TOLERANCE} }}
step = {step}
until = {until}
output_every = {until}
"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "spheres.toml")
        with open(path, "w") as file:
            file.write(text)
        program = os.path.join(HERE, "target", "release", "rotula")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([program, "run", path, "--quiet", "--output", folder], check=True)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        with open(os.path.join(folder, "summary.json")) as file:
            summary = json.load(file)
        with open(os.path.join(folder, "trajectory.csv")) as file:
            last = list(csv.DictReader(file))[-1]

    def vectors(x, y, z):
        axes = (x, y, z)
        return np.array([[float(last[f"grain{k}.{a}"]) for a in axes] for k in range(1, n + 1)])

    closed = next((float(last[key]) for key in last if "closed" in key), float("nan"))
    end = {"contacts": int(closed), "unconverged": 0}
    assert summary["statistics"]["steps"] >= round(until / step)
    return seconds * STEP / until, end | describe(vectors("x", "y", "z"), vectors("vx", "vy", "vz"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=[100, 1000])
    parser.add_argument("--until", type=float, default=0.4)
    arguments = parser.parse_args()
    print("program      n   ms/step  contacts  unconverged steps  overlap mm  floor mm  kinetic J  height m")
    for n in arguments.sizes:
        results = {
            "Siconos": siconos(n, arguments.until),
            "Rotula": rotula(n, arguments.until, STEP),
            "half step": rotula(n, arguments.until, STEP / 2),
        }
        for name, (seconds, end) in results.items():
            print(
                f"{name:9s} {n:4d} {seconds * 1e3:9.2f} {end['contacts']:9d} {end['unconverged']:18d} "
                f"{end['overlap'] * 1e3:11.3f} {end['floor'] * 1e3:9.3f} {end['kinetic']:10.3f} {end['height']:9.5f}",
                flush=True,
            )
        peer = results["Siconos"][0]
        ratios = [peer / results[name][0] for name in ("Rotula", "half step")]
        print(f"ratio {ratios[0]:.1f}, with half the step {ratios[1]:.1f}", flush=True)


if __name__ == "__main__":
    main()
