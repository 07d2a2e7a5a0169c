"""How long a run takes from Python beside the program, and how fast results become arrays.

    cargo build --release -p rotula-cli
    pip install .
    python benches/python.py
"""

import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import rotula

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / "examples" / "models" / "slider_crank.toml"
PROGRAM = ROOT / "target" / "release" / "rotula"


def best(task, times=5):
    """The shortest of several times, on the clock and of the processor, and the last result."""
    shortest, least = float("inf"), float("inf")
    for _ in range(times):
        clock, used = time.perf_counter(), _used()
        result = task()
        shortest = min(shortest, time.perf_counter() - clock)
        least = min(least, _used() - used)
    return shortest, least, result


def _used():
    """Processor time of this process and of those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def slider_crank(until=30.0):
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, "run", MODEL, "--quiet", "--set", f"solve.until={until}", "--format", "npz", "-o", folder]
        program, program_cpu, _ = best(lambda: subprocess.run(command, check=True))
        marching = rotula.read_results(folder).summary["wall_seconds"]
    model = rotula.load(MODEL)
    package, package_cpu, run = best(lambda: model.run(until=until))
    inside = run.summary["wall_seconds"]
    print(f"slider-crank, {until:g} s, {run.summary['statistics']['steps']} steps")
    print(f"  marching: program {marching:.3f} s, package {inside:.3f} s, ratio {inside / marching:.2f}")
    print(f"  everything: program {program:.3f} s (with files), package {package:.3f} s, ratio {package / program:.2f}")
    print(f"  processor: program {program_cpu:.2f} s, package {package_cpu:.2f} s, ratio {package_cpu / program_cpu:.2f}")


def many_results(rows=1_000_000):
    # with positions, velocities and accelerations of each, a sum, time, energies and residuals: 50 columns
    names = [f"x{k}" for k in range(14)]
    model = rotula.Model(
        coordinates={name: {"at": 1, "velocity": 0} for name in names},
        mass={name: 1 for name in names},
        force={name: f"-{k + 1}*{name}" for k, name in enumerate(names)},
        output={"sum": " + ".join(names)},
        solve={"until": rows * 1e-3, "step": 1e-3, "formulation": "index3"},
    )
    run = model.run()
    shape = (len(run), len(run.columns))
    views, _, _ = best(lambda: [run[name] for name in run.columns])
    whole, whole_cpu, array = best(run.to_numpy, 3)
    print(f"{shape[0]} x {shape[1]} numbers: {views * 1e3:.2f} ms as views, {whole:.2f} s (processor {whole_cpu:.2f} s) as one array")
    with tempfile.TemporaryDirectory() as folder:
        np.savez(Path(folder) / "trajectory.npz", **_archive(run))
        (Path(folder) / "summary.json").write_text('{"model": {"title": "oscillators"}, "outcome": {"status": "done"}}')
        from_disk, cpu, again = best(lambda: rotula.read_results(folder).to_numpy(), 3)
    print(f"  {from_disk:.2f} s (processor {cpu:.2f} s) from files that the system holds in memory")
    assert array.shape == again.shape


def _archive(run):
    arrays = {"t": run.t}
    for key, (names, table) in run._tables.items():
        arrays[key] = table
        arrays[f"{key}_names"] = np.array(names)
    return arrays


if __name__ == "__main__":
    slider_crank()
    many_results()
