#!/usr/bin/env python3
"""A column of beads in Siconos and in Rotula, one after the other on the same machine.

    apt install python3-siconos        # 4.4
    python3 benches/siconos_beads.py [--program PATH] [N ...]

Beads of radius 0.1 fall upon each other and upon the floor with restitution 0.9. Both programs take the
same 2000 steps of 5e-4 s of the Moreau-Jean scheme with theta = 1/2, in one thread. Siconos solves its
complementarity problems with Lemke's algorithm. Times are processor times of the steps, the least of three runs of
each program in turns: in Rotula that of the run less that of a run of one step. The difference is the largest between all positions at the end.
"""
import argparse
import csv
import os
import resource
import subprocess
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import siconos.kernel as kernel

RADIUS, GRAVITY, RESTITUTION, STEP, UNTIL = 0.1, 9.81, 0.9, 5e-4, 1.0
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def start(n):
    return [1.0 + 0.25 * i for i in range(n)]


def siconos(n):
    """Seconds of all steps, and the last positions."""
    model = kernel.NonSmoothDynamicalSystem(0, UNTIL)
    beads = []
    for x in start(n):
        bead = kernel.LagrangianLinearTIDS(np.array([x]), np.array([0.0]), np.eye(1))
        bead.setFExtPtr(np.array([-GRAVITY]))
        model.insertDynamicalSystem(bead)
        beads.append(bead)
    law = kernel.NewtonImpactNSL(RESTITUTION)
    floor = kernel.LagrangianLinearTIR(np.array([[1.0]]), np.array([-RADIUS]))
    model.link(kernel.Interaction(law, floor), beads[0])
    for low, high in zip(beads, beads[1:]):
        pair = kernel.LagrangianLinearTIR(np.array([[-1.0, 1.0]]), np.array([-2 * RADIUS]))
        model.link(kernel.Interaction(law, pair), low, high)
    discretisation = kernel.TimeDiscretisation(0, STEP)
    simulation = kernel.TimeStepping(model, discretisation, kernel.MoreauJeanOSI(0.5), kernel.LCP())
    clock = time.process_time()
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        simulation.nextStep()
    return time.process_time() - clock, [float(bead.q()[0]) for bead in beads]


def run(program, n, until):
    """Processor time and last positions of a run of Rotula, from a model file."""
    lines = ["[coordinates]"]
    lines += [f"x{i} = {{ at = {x!r}, velocity = 0 }}" for i, x in enumerate(start(n))]
    lines += ["[mass]"] + [f"x{i} = 1" for i in range(n)]
    lines += ["[force]"] + [f"x{i} = -{GRAVITY}" for i in range(n)]
    lines += ["[gap]", f'g0 = {{ gap = "x0 - {RADIUS}", restitution = {RESTITUTION} }}']
    for i in range(1, n):
        gap = f"x{i} - x{i - 1} - {2 * RADIUS}"
        lines.append(f'g{i} = {{ gap = "{gap}", restitution = {RESTITUTION} }}')
    lines += ["[solve]", 'formulation = "moreau-jean"', "theta = 0.5"]
    lines += [f"step = {STEP}", f"until = {until}", f"output_every = {until}", ""]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "beads.toml")
        with open(path, "w") as file:
            file.write("\n".join(lines))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([program, "run", path, "--quiet", "--output", folder], check=True)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        with open(os.path.join(folder, "trajectory.csv")) as file:
            last = list(csv.DictReader(file))[-1]
    return seconds, [float(last[f"x{i}"]) for i in range(n)]


def rotula(program, n):
    """The same in Rotula."""
    (seconds, end), (idle, _) = run(program, n, UNTIL), run(program, n, STEP)
    return seconds - idle, end


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=[10, 50, 100, 200])
    parser.add_argument("--program", default=os.path.join(HERE, "target", "release", "rotula"))
    arguments = parser.parse_args()
    steps = round(UNTIL / STEP)
    print("    n | Siconos µs/step | Rotula µs/step | ratio | difference")
    for n in arguments.sizes:
        runs = [(siconos(n), rotula(arguments.program, n)) for _ in range(3)]
        peer, own = (min(run[k][0] for run in runs) for k in (0, 1))
        peer_end, own_end = (runs[0][k][1] for k in (0, 1))
        difference = max(abs(a - b) for a, b in zip(peer_end, own_end))
        print(
            f"{n:5d} | {peer / steps * 1e6:15.1f} | {own / steps * 1e6:14.1f} | "
            f"{peer / own:5.1f} | {difference:.1e}",
            flush=True,
        )


if __name__ == "__main__":
    main()
