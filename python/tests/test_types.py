"""What type checkers know of models and settings."""

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

rotula.Model(boddy={})
rotula.Model(body={"arm": {"mas": 1.0, "inertia": [1, 1, 1]}})
rotula.Model(joint={"hinge": {"revolut": {"between": ["ground", "arm"]}}})
rotula.Model(solve={"until": 1.0, "formulation": "gggl"})
model = rotula.Model({})
model.run(untl=2)
model.run(formulation="magic")
model.draw(view="above")
"""


@pytest.mark.parametrize(("text", "wrong"), [(GOOD, 0), (BAD, 7)], ids=["right", "wrong"])
def test_mypy_knows_sections_and_settings(tmp_path, text, wrong):
    api = pytest.importorskip("mypy.api")
    file = tmp_path / "model.py"
    file.write_text(text)
    out, err, _ = api.run(["--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache"), "--config-file", "", str(file)])
    lines = {line.split(":")[1] for line in out.splitlines() if ": error:" in line and line.startswith(str(file))}
    assert len(lines) == wrong, out + err
