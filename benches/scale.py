#!/usr/bin/env python3
"""How cost grows with the number of bodies: reading and checking, starting, and steps.

    cargo build --release -p rotula-cli
    python3 benches/scale.py [check copies belt chain outside] [--program FILE] [--repeat 3]

All times are those of the processor, the least of some repetitions; memory is the largest that the program held. `check` reads a model, examines it
and takes a first step. What a step costs is the difference of a long and a short run, so that reading and start count in neither.
"""
import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def planar(n):
    """A chain of planar bodies on hinges, each written out."""
    text = ["gravity = [0, -9.81, 0]\n"]
    for i in range(n):
        to = "ground" if i == 0 else f"b{i - 1}"
        text.append(f'[body.b{i}]\nkind = "planar"\nmass = 1\ninertia = 0.01\nat = [{i + 0.5}, 0, 0]\n'
                    f'[joint.j{i}]\nrevolute = {{ between = ["{to}", "b{i}"], at = [{i}, 0, 0], about = "z" }}\n')
    return "".join(text) + output(f"b{n - 1}")


def spatial(n):
    """A chain of spatial bodies on hinges of four directions, each written out."""
    text = ["gravity = [0, 0, -9.81]\n"]
    for i in range(n):
        to = "ground" if i == 0 else f"b{i - 1}"
        axis = ["[0, 1, 0]", "[0, 1, 1]", "[0, 0, 1]", "[0, -1, 1]"][i % 4]
        text.append(f'[body.b{i}]\nmass = 0.1\ninertia = [7e-6, 9e-5, 9e-5]\nat = [{0.1 * i + 0.05}, 0, 0]\n'
                    f'[joint.j{i}]\nrevolute = {{ between = ["{to}", "b{i}"], at = [{0.1 * i}, 0, 0], about = {axis} }}\n')
    return "".join(text) + output(f"b{n - 1}")


def copies(n):
    """2n − 1 copies of two parts: n links with a sensor, and a ball joint with a spring by a formula between each two."""
    return f"""gravity = [0, 0, -9.81]
[parameters]
k = 5
[part.link.parameters]
length = 0.2
[part.link.body.plate]
mass = "3*length"
inertia = ["1e-3*length", "2e-3*length", "2e-3*length"]
at = ["length/2", 0, 0]
[part.link.sensor]
swing = {{ velocity = "plate", along = "z" }}
[use.link]
part = "link"
count = {n}
at = ["0.2*i", 0, 0]
[joint.base]
spherical = {{ between = ["ground", "link[0].plate"], at = [0, 0, 0] }}
[part.pin.joint.ball]
spherical = {{ between = ["link[i].plate", "link[i+1].plate"], at = [0, 0, 0] }}
[part.pin.spring.hold]
between = ["link[i].plate", "link[i+1].plate"]
law = "-k*(1 + 0.1*sin(i))*(value - 0.2) - 0.1*rate"
[use.pin]
part = "pin"
count = {n - 1}
at = ["0.2*(i + 1)", 0, 0]
""" + output(f"link[{n - 1}].plate")


def output(body):
    """Only one body is recorded, so that tables do not count."""
    return (f'[output]\nbodies = ["{body}"]\njoints = false\nreactions = false\nforces = false\n'
            '[solve]\nstep = 1e-3\nuntil = 0.01\n')


class Program:
    """Runs the program in a folder of its own."""

    def __init__(self, given):
        self.given = given

    def once(self, arguments, folder):
        process = subprocess.Popen([self.given.program, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        _, errors = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            raise SystemExit(errors.decode()[:2000])
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6

    def best(self, arguments, folder):
        runs = [self.once(arguments, folder) for _ in range(self.given.repeat)]
        return min(run[0] for run in runs), min(run[1] for run in runs)

    def check(self, text, *settings):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "model.toml").write_text(text)
            return self.best(["check", "model.toml", *settings], folder)

    def run(self, text, steps):
        """Processor time and statistics of a run of so many steps."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "model.toml").write_text(text)
            settings = ["--set", f"solve.until={1e-3 * steps}", "--set", f"solve.output_every={1e-3 * steps}",
                        "--set", 'solve.formulation="index3"', "--format", "npz", "-o", "out", "--quiet"]
            seconds, _ = self.best(["run", "model.toml", *settings], folder)
            return seconds, json.load(open(folder + "/out/summary.json"))["statistics"]


def check(program):
    print("| checked | bodies | CPU s | memory, GB |\n|---|---|---|---|")
    for name, model, n in [("planar chain", planar, 10_000), ("planar chain", planar, 100_000), ("spatial chain", spatial, 10_000)]:
        seconds, memory = program.check(model(n))
        print(f"| {name} | {n} | {seconds:.2f} | {memory:.2f} |", flush=True)


def copied(program):
    print("| checked | copies | CPU s | memory, GB |\n|---|---|---|---|")
    for n in (500, 5000, 10_000):
        seconds, memory = program.check(copies(n))
        print(f"| links, joints with springs by formulas, sensors | {2 * n - 1} | {seconds:.2f} | {memory:.2f} |", flush=True)


def belt(program):
    print("| started | CPU s | memory, GB |\n|---|---|---|")
    text = (ROOT / "examples" / "models" / "poly_v_belt.toml").read_text()
    for n in (100, 600):
        seconds, memory = program.check(text, "--set", f"parameters.n={n}")
        print(f"| belt of {n} segments | {seconds:.2f} | {memory:.2f} |", flush=True)


def chain(program):
    print("| chain | bodies | steps | iterations per step | matrices | µs per body and step | µs per body and iteration |\n|---|---|---|---|---|---|---|")
    for name, model in (("planar", planar), ("spatial", spatial)):
        for n in (100, 1000, 10_000):
            text = model(n)
            # the same time for each, in which a chain begins to fall
            short, long = 20, 220
            (first, s0), (all_, s1) = program.run(text, short), program.run(text, long)
            steps, iterations = s1["steps"] - s0["steps"], s1["iterations"] - s0["iterations"]
            cost = (all_ - first) / steps / n * 1e6
            print(f"| {name} | {n} | {steps} | {iterations / steps:.2f} | {s1['factorisations'] - s0['factorisations']} | {cost:.3f} | "
                  f"{cost * steps / iterations:.3f} |", flush=True)


def outside(program):
    text = planar(3000)
    (start, _), (whole, _) = program.run(text, 2), program.run(text, 200)
    print(f"A planar chain of 3000 bodies: {whole:.2f} s for 200 steps, {start:.2f} s for 2, so that {start / whole:.0%} is outside of the integration.")


def main():
    work = {"check": check, "copies": copied, "belt": belt, "chain": chain, "outside": outside}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(work)}; default all")
    parser.add_argument("--program", default=str(ROOT / "target" / "release" / "rotula"))
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    for name in given.parts or work:
        if name not in work:
            parser.error(f"there is no part {name}; choose of {', '.join(work)}")
        work[name](Program(given))
        print()


if __name__ == "__main__":
    main()
