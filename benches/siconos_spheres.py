#!/usr/bin/env python3
"""Spheres dropped into a box, in Siconos and in Rotula, one after the other on the same machine.

    apt install python3-siconos        # 4.4
    python3 benches/siconos_spheres.py [--until SECONDS] [--program PATH] [N ...]

Spheres of radius 0.05 and density 2000 fall in crooked layers into a box of one square metre, with friction
0.3 and no restitution. Both programs take steps of 5e-3 s of the Moreau-Jean scheme with theta = 1/2 in one
thread, and find their impulses by Gauss-Seidel sweeps to a relative tolerance of 1e-3 in the Euclidean norm.
Siconos stops after 200 sweeps, converged or not; Rotula accepts nothing unconverged. Times are processor times
per step: of the steps alone in Siconos (as packaged), of the whole run with reading and writing in Rotula.

In Siconos a contact of the collision library acts when a whole step would close its gap, while the relations of
its Lagrangian systems look half a step ahead. (One sphere falling on the plane with speed v begins to feel it at
gaps up to 1.05 to 1.06 v h.) In Rotula this is the setting `activation`: 1 here, 0.5 by default.

The deepest overlap of two spheres is that of one pair in a chaotic motion. So Rotula runs once more with half the
step, where its overlap should be below that of Siconos in any case.

Printed are: number of contacts with an impulse at the end, deepest overlap of two spheres and with the floor in
the whole run, mean height at the end, energy lost in the run, and the largest energy that was won in one step. The
scheme itself wins up to m (g h)^2 / 8 = 0.3 mJ per sphere that is held back while it leaves its support.
"""
import argparse
import csv
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


def overlaps(places):
    """Deepest overlap of two spheres, and with the floor."""
    square = (places**2).sum(axis=1)
    distance = square[:, None] + square[None] - 2 * places @ places.T + 10 * np.eye(len(places))
    return 2 * RADIUS - np.sqrt(distance.min()), RADIUS - places[:, 2].min()


def describe(places, energies):
    """What a run looks like from the places and the energies after all steps."""
    deepest = np.max([overlaps(now) for now in places], axis=0)
    return {
        "overlap": deepest[0],
        "floor": deepest[1],
        "height": places[-1][:, 2].mean(),
        "lost": energies[0] - energies[-1],
        "won": max(0.0, np.diff(energies).max()),
    }


def siconos(n, until):
    """Seconds of a step and what the run looks like."""
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
    seconds, unconverged = 0.0, 0
    places = [start(n)]
    energies = [MASS * GRAVITY * places[0][:, 2].sum()]
    while simulation.hasNextEvent():
        clock = time.process_time()
        simulation.computeOneStep()
        seconds += time.process_time() - clock
        contacts = problem.getSizeOutput() // 3
        unconverged += contacts > 0 and solver.dparam[numerics.SICONOS_DPARAM_RESIDU] > TOLERANCE
        clock = time.process_time()
        simulation.nextStep()
        seconds += time.process_time() - clock
        places.append(np.array([body.q()[:3] for body in bodies]))
        twists = np.array([body.twist() for body in bodies])
        kinetic = (twists[:, :3] ** 2).sum() + 0.4 * RADIUS**2 * (twists[:, 3:] ** 2).sum()
        energies.append(MASS * (0.5 * kinetic + GRAVITY * places[-1][:, 2].sum()))
    contacts = int((np.abs(problem.z()).reshape(-1, 3)[:contacts, 0] > 0).sum())
    end = {"contacts": contacts, "unconverged": int(unconverged)}
    return seconds * STEP / until, end | describe(places, energies)


def run(program, text):
    """Seconds and table of a run of Rotula."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "spheres.toml")
        with open(path, "w") as file:
            file.write(text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([program, "run", path, "--quiet", "--output", folder], check=True)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        with open(os.path.join(folder, "trajectory.csv")) as file:
            rows = list(csv.reader(file))
    return seconds, {name: [row[k] for row in rows[1:]] for k, name in enumerate(rows[0])}


def rotula(program, n, until, step=STEP):
    """The same in Rotula, from a model file: timed with the end alone, then with all steps. Seconds are those of
    the simulated time of a step of Siconos."""
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
activation = 1
newton = {{ tolerance = {TOLERANCE} }}
step = {step}
until = {until}
"""
    seconds, _ = run(program, text + f"output_every = {until}\n")
    _, table = run(program, text)
    assert len(table["t"]) == round(until / step) + 1

    def vectors(row):
        names = [[f"grain{k}.{axis}" for axis in "xyz"] for k in range(1, n + 1)]
        return np.array([[float(table[name][row]) for name in three] for three in names])

    places = [vectors(row) for row in range(len(table["t"]))]
    energies = [float(a) + float(b) for a, b in zip(table["kinetic"], table["potential"])]
    end = {"contacts": int(float(table["contacts.closed"][-1])), "unconverged": 0}
    return seconds * STEP / until, end | describe(places, energies)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=[100, 1000])
    parser.add_argument("--until", type=float, help="default 0.4, with more than 100 spheres 0.3")
    parser.add_argument("--program", default=os.path.join(HERE, "target", "release", "rotula"))
    arguments = parser.parse_args()
    print(
        "program    n   ms/step  contacts  unconverged steps  overlap mm  floor mm  height m    lost J"
        "  won in a step mJ"
    )
    for n in arguments.sizes:
        until = arguments.until or (0.4 if n <= 100 else 0.3)
        results = {
            "Siconos": siconos(n, until),
            "Rotula": rotula(arguments.program, n, until),
            "h/2": rotula(arguments.program, n, until, STEP / 2),
        }
        for name, (seconds, end) in results.items():
            print(
                f"{name:7s} {n:4d} {seconds * 1e3:9.2f} {end['contacts']:9d} {end['unconverged']:18d} "
                f"{end['overlap'] * 1e3:11.3f} {end['floor'] * 1e3:9.3f} {end['height']:9.5f} "
                f"{end['lost']:9.3f} {end['won'] * 1e3:17.3f}",
                flush=True,
            )
        ratios = [results["Siconos"][0] / results[name][0] for name in ("Rotula", "h/2")]
        print("ratios {:.1f}, with half the step {:.1f}".format(*ratios), flush=True)


if __name__ == "__main__":
    main()
