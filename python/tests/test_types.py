"""What type checkers know of models and settings."""

import json
import subprocess
import sys

import pytest

GOOD = """
import numpy as np
import rotula

arm = rotula.Model(
    gravity=[0, 0, -9.81],
    parameters={"m": 2.0, "length": "2*m"},
    body={"arm": {"mass": "m", "inertia": [1e-3, 0.05, 0.05], "at": np.array([0.25, 0, 0]), "shape": {"sphere": 0.1}}},
    joint={"hinge": {"revolute": {"between": ["ground", "arm"], "at": [0, 0, 0], "about": "y"}, "torque": "motor"}},
    variable={"motor": "-hinge.angle"},
    solve={"until": 1.0, "formulation": "ggl"},
)
run = arm.run(until=2, tolerance=1e-8, formulation="bdf")
A, B, C, D = arm.linearise("hinge.angle", about="start")
equations = rotula.Model(coordinates={"x": {"at": 1, "velocity": 0}}, mass={"x": 1.0}, force={"x": "-x"})
anything = rotula.Model(dict(body={}))
"""
BAD = """
import rotula

rotula.Model(boddy={})  # wrong
rotula.Model(body={"arm": {"mas": 1.0, "inertia": [1, 1, 1]}})  # wrong
rotula.Model(joint={"hinge": {"revolut": {"between": ["ground", "arm"]}}})  # wrong
rotula.Model(solve={"until": 1.0, "formulation": "gggl"})  # wrong
model = rotula.Model({})
model.run(untl=2)  # wrong
model.run(formulation="magic")  # wrong
model.draw(view="above")  # wrong
"""


def lines_of_mypy(file):
    """Lines with errors, and all that mypy says."""
    api = pytest.importorskip("mypy.api")
    out, err, _ = api.run(["--strict", "--no-error-summary", "--cache-dir", str(file.parent / "cache"), "--config-file", "", str(file)])
    lines = (line for line in out.splitlines() if ": error:" in line and line.startswith(str(file)))
    return {int(line.split(":")[1]) for line in lines}, out + err


def lines_of_pyright(file):
    """The same of pyright, which runs in Node."""
    pytest.importorskip("pyright")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=file.parent)
    found = json.loads(done.stdout)["generalDiagnostics"]
    return {one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"}, done.stdout + done.stderr


@pytest.mark.parametrize("checker", [lines_of_mypy, lines_of_pyright], ids=["mypy", "pyright"])
@pytest.mark.parametrize("text", [GOOD, BAD], ids=["right", "wrong"])
def test_type_checkers_know_sections_and_settings(tmp_path, checker, text):
    file = tmp_path / "model.py"
    file.write_text(text)
    wrong = [number for number, line in enumerate(text.splitlines(), 1) if "  # wrong" in line]
    assert len(wrong) == (7 if text is BAD else 0)
    lines, said = checker(file)
    assert sorted(lines) == wrong, said
