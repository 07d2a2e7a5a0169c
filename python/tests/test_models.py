"""Reading and building models, and what is said about bad ones."""

import pickle

import numpy as np
import pytest

import rotula


def test_files_and_dictionaries_mean_the_same(examples):
    file = rotula.load(examples / "slider_crank.toml")
    built = rotula.Model(file.document)
    assert built.kind == "mechanism"
    assert built.parts == file.parts
    settings = {"until": 0.05}
    one, other = file.run(**settings), built.run(**settings)
    assert one.columns == other.columns
    np.testing.assert_array_equal(one.to_numpy(), other.to_numpy())


@pytest.mark.parametrize("name", ["pendulum.toml", "slider_crank.toml", "walker.toml", "stewart.toml"])
def test_written_models_read_back(examples, tmp_path, name):
    document = rotula.load(examples / name).document
    model = rotula.Model(document, folder=examples)
    path = examples / name
    assert rotula.loads(model.to_toml(), str(path)).document == document
    model.save(tmp_path / "copy.toml")
    assert (tmp_path / "copy.toml").read_text() == model.to_toml()


def test_numpy_and_odd_texts_survive_writing():
    model = rotula.Model(
        title='quotes " and \\ and\nlines\x01é',
        parameters={"m": np.float64(0.1) + 0.2, "n": np.int64(3)},
        coordinates={"x": {"at": np.float32(1.5), "velocity": 0}},
        mass={"x": "m"},
        force={"x": "n"},
        solve={"until": 1, "step": 0.1},
    )
    assert rotula.loads(model.to_toml()).document == {
        "title": 'quotes " and \\ and\nlines\x01é',
        "parameters": {"m": 0.1 + 0.2, "n": 3},
        "coordinates": {"x": {"at": 1.5, "velocity": 0}},
        "mass": {"x": "m"},
        "force": {"x": "n"},
        "solve": {"until": 1, "step": 0.1},
    }


def test_models_grow(pendulum):
    grown = pendulum.copy().add("sensor", "tip", position="rod").add("parameters", "c", 2.0)
    assert "tip.x" in grown.run(until=0.1)
    assert grown.parameters == {"c": 2.0}
    assert "sensor" not in pendulum.document
    with pytest.raises(rotula.InputError, match="body.rod exists already"):
        grown.add("body", "rod", mass=1)


def test_files_grow_too(examples):
    model = rotula.load(examples / "slider_crank.toml").add("parameters", "unused", 1.0)
    assert model.parameters["unused"] == 1.0


def test_values_are_replaced(oscillator):
    oscillator.set("parameters.k", 9.0)
    assert oscillator.parameters["k"] == 9.0
    run = oscillator.run(set={"parameters.m": 2.25}, until=1.0)
    np.testing.assert_allclose(run["x"][-1], np.cos(2.0), atol=1e-5)
    assert oscillator.parameters["m"] == 1.0


def test_faults_of_files_have_a_place():
    text = "[coordinates]\nx = { at = 1, velocity = 0 }\n[mass]\nx = \"n\"\n[solve]\nuntil = 1\n"
    with pytest.raises(rotula.InputError) as caught:
        rotula.loads(text, "bad.toml")
    error = caught.value
    assert (error.file, error.line, error.key) == ("bad.toml", 4, "mass.x")
    assert str(error).startswith("bad.toml:4:")
    assert error.remedy and error.remedy in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.key, again.line) == (str(error), error.key, error.line)


@pytest.mark.parametrize(
    ("change", "key", "words"),
    [
        ({"body": {"rod": {"mas": 1.0}}}, "body.rod.mas", "did you mean `mass`"),
        ({"body": {"rod": {"mass": -1.0, "inertia": [1, 1, 1]}}}, "body.rod.mass", "kg"),
        ({"bodies": {}}, "bodies", "body"),
        ({"solve": {"until": 1, "formulation": "gll"}}, "solve.formulation", "ggl"),
        ({"solve": {"until": 1, "tolerance": float("nan")}}, "solve.tolerance", "finite"),
        ({"body": {"rod": {"mass": None}}}, "body.rod.mass", "leave it out"),
        ({"body": {"rod": {"mass": 1j}}}, "body.rod.mass", "type complex"),
        ({"body": {3: {}}}, "body", "keys must be texts"),
        ({"joint": {"hinge": {"revolute": {"between": ["ground", "rad"], "at": [0, 0, 0], "about": "y"}}}}, "joint.hinge.revolute.between", "did you mean `rod`"),
    ],
)
def test_faults_of_dictionaries_name_the_key(pendulum, change, key, words):
    document = {**pendulum.document, **change}
    with pytest.raises(rotula.InputError) as caught:
        rotula.Model(document).run()
    error = caught.value
    assert error.key == key, error
    assert words in str(error)
    assert error.line is None and "line" not in str(error)


def test_faults_of_keywords_name_the_key(pendulum):
    with pytest.raises(rotula.InputError) as caught:
        pendulum.run(formulaton="ggl")
    assert caught.value.key == "solve.formulaton"
    assert "did you mean `formulation`" in str(caught.value)
    with pytest.raises(rotula.InputError, match="the model has no body `rd`"):
        pendulum.run(set={"body.rd.mass": 2})


def test_files_that_are_not_there():
    with pytest.raises(rotula.InputError, match="nowhere.toml: the file cannot be read"):
        rotula.load("nowhere.toml")


def test_a_start_that_contradicts_itself_is_refused():
    model = rotula.Model(
        coordinates={"x": {"at": 1, "velocity": 0}, "y": {"at": 0, "velocity": 0}},
        mass={"x": 1, "y": 1},
        constraint={"rod": "x^2 + y^2 - 4"},
        solve={"until": 1, "step": 0.1},
    )
    with pytest.raises(rotula.InputError) as caught:
        model.run()
    assert caught.value.diagnosis.kind == "inconsistent-start"
    assert caught.value.key == "constraint.rod"


def test_models_are_shown(pendulum):
    assert repr(pendulum) == "<rotula.Model 'Pendulum': mechanism>"
    assert "hinge" in pendulum._repr_html_()
