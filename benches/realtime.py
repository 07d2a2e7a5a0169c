#!/usr/bin/env python3
"""How fast machines are computed: processor time over simulated time, on one core.

    cargo build --release -p rotula-cli
    python3 benches/realtime.py [--program FILE] [--repeat 3]

Car, helicopter rotor and wind turbine of `examples/models` run twice, for a short and for a long time; the difference of both leaves
reading, start and report out. The least of some repetitions counts.
"""
import argparse
import json
import resource
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# model, short and long time, and what the goal is
MACHINES = [
    ("car", 0.4, 4.4, 0.05),
    ("helicopter_rotor", 0.5, 1.5, None),
    ("wind_turbine_5mw", 5.0, 20.0, 0.15),
]


def run(program, model, until):
    """Processor time and statistics of a run to a time."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", str(ROOT / "examples" / "models" / f"{model}.toml"), "-o", folder + "/out", "--quiet",
                   "--set", f"solve.until={until}"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        statistics = json.load(open(folder + "/out/summary.json"))["statistics"]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, statistics


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target" / "release" / "rotula"))
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    print("| machine | steps | iterations | matrices | CPU over simulated time | goal |\n|---|---|---|---|---|---|")
    for model, short, long, goal in MACHINES:
        best = []
        for until in (short, long):
            runs = [run(given.program, model, until) for _ in range(given.repeat)]
            best.append(min(runs, key=lambda pair: pair[0]))
        factor = (best[1][0] - best[0][0]) / (long - short)
        s = best[1][1]
        print(f"| {model} | {s['steps']} | {s['iterations']} | {s['factorisations']} | {factor:.3f} | {goal or ''} |", flush=True)


if __name__ == "__main__":
    main()
