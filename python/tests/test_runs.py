"""Runs, their results, observers and interruptions."""

import json
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import rotula


def test_an_oscillator_swings(oscillator):
    run = oscillator.run()
    np.testing.assert_allclose(run["x"], np.cos(2 * run.t), atol=1e-5)
    np.testing.assert_array_equal(run["position"], run["x"])
    assert run.completed and run.diagnosis is None
    assert run.summary["statistics"]["steps"] == 3000 == len(run.steps["h"])
    assert run.columns[:4] == ["t", "x", "x'", "x''"]
    assert run.to_numpy().shape == (3001, len(run.columns))
    np.testing.assert_array_equal(run.to_numpy()[:, run.columns.index("x'")], run["x'"])
    np.testing.assert_array_equal(run[["t", "x"]], np.column_stack([run.t, run["x"]]))


def test_arrays_are_views_that_outlive_the_run(oscillator):
    run = oscillator.run(until=0.1)
    x = run["x"]
    assert np.shares_memory(x, run.tables["q"])
    assert not x.flags.writeable and not run.t.flags.writeable
    with pytest.raises(ValueError):
        x[0] = 1.0
    expected = x.copy()
    del run
    np.testing.assert_array_equal(x, expected)


def test_a_stricter_run_verifies(oscillator, tmp_path):
    run = oscillator.run(verify=True)
    found = run.verification
    assert found.data["stricter"] == {"setting": "step", "from": 1e-3, "to": 5e-4}
    # half the step leaves a quarter of the error, so that the two differ by three quarters of it
    error = np.abs(run["x"] - np.cos(2 * run.t)).max()
    assert found["x"]["difference"] == pytest.approx(0.75 * error, rel=0.05)
    assert found["x"]["digits"] == int(-np.log10(found["x"]["relative"]))
    assert found.worst("position")["column"] == "x"
    assert found.failure is None and "digits" in repr(found)
    assert found.to_pandas().loc["x", "scale"] == pytest.approx(1.0)
    run.write(tmp_path)
    assert (tmp_path / "verify.csv").read_text().count("\n") == len(found) + 1
    assert oscillator.run().verification is None


def test_unknown_columns_are_suggested(oscillator):
    with pytest.raises(KeyError, match="did you mean position"):
        oscillator.run(until=0.01)["positoin"]


def test_tables_for_others(oscillator, tmp_path):
    run = oscillator.run(until=0.1)
    frame = run.to_pandas()
    assert list(frame.columns) == run.columns[1:] and frame.index.name == "t"
    np.testing.assert_array_equal(frame["x"], run["x"])
    run.to_parquet(tmp_path / "run.parquet")
    from pyarrow import parquet

    table = parquet.read_table(tmp_path / "run.parquet")
    assert table.column_names == run.columns
    np.testing.assert_array_equal(table["x"].to_numpy(), run["x"])
    assert b"rotula.summary" in table.schema.metadata


def test_runs_travel(oscillator):
    run = oscillator.run(until=0.1)
    again = pickle.loads(pickle.dumps(run))
    np.testing.assert_array_equal(again.to_numpy(), run.to_numpy())
    assert again.summary == run.summary


def test_plots_and_pages(pendulum, tmp_path):
    run = pendulum.run(until=0.2)
    ax = run.plot("hinge.angle", "rod.x")
    assert len(ax.lines) == 2
    assert run.plot("rod.z", against="rod.x").get_xlabel() == "rod.x [m]"
    assert "constraints met to" in run._repr_html_()
    report = run.write(tmp_path / "out")
    assert os.path.getsize(report) > 10_000


@pytest.mark.parametrize("form", ["npz", "csv"])
def test_written_results_are_read_back(pendulum, tmp_path, form):
    run = pendulum.run(until=0.2)
    run.write(tmp_path)
    os.remove(tmp_path / ("trajectory.csv" if form == "npz" else "trajectory.npz"))
    again = rotula.read_results(tmp_path)
    assert again.columns == run.columns
    np.testing.assert_array_equal(again.to_numpy(), run.to_numpy())
    assert again.summary["statistics"] == run.summary["statistics"]
    with pytest.raises(rotula.InputError, match="there are no results"):
        rotula.read_results(tmp_path / "nowhere")


def test_observers_see_every_step_and_may_stop(pendulum):
    seen = []

    def observer(moment):
        seen.append((moment.t, moment["hinge.angle"], moment.step))
        return moment.t < 0.5

    run = pendulum.run(observer=observer, step=0.01)
    t, angle, step = np.array(seen).T
    assert 0.5 <= t[-1] < 0.52 and len(run) == len(seen) + 1
    assert run.summary["outcome"]["status"] == "interrupted"
    np.testing.assert_allclose(angle, run["hinge.angle"][1:], atol=1e-12)
    np.testing.assert_allclose(step, 0.01, rtol=1e-6)


def test_observers_read_equations(oscillator):
    seen = []
    run = oscillator.run(until=0.1, observer=lambda moment: seen.append([moment[c] for c in ("x", "x'", "position")]))
    np.testing.assert_allclose(np.array(seen), run[["x", "x'", "position"]][1:])
    with pytest.raises(KeyError, match="there is no curve `y`"):
        oscillator.run(observer=lambda moment: moment["y"])


def test_exceptions_of_observers_come_through(oscillator):
    def observer(moment):
        if moment.t > 0.5:
            raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose") as caught:
        oscillator.run(observer=observer)
    assert "at t = 0.501" in caught.value.__notes__[0]


def failing() -> rotula.Model:
    return rotula.Model(
        coordinates={"x": {"at": 1, "velocity": 0}},
        mass={"x": 1},
        force={"x": "-1/sqrt(x)"},
        solve={"until": 10, "tolerance": 1e-6},
    )


def test_failures_keep_what_was_computed():
    with pytest.raises(rotula.SimulationFailed) as caught:
        failing().run()
    error = caught.value
    assert 0.5 < error.diagnosis.t < 2 and error.diagnosis.remedies
    assert error.results.t[-1] == pytest.approx(error.diagnosis.t)
    assert "Try:" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert again.diagnosis == error.diagnosis and len(again.results) == len(error.results)
    run = failing().run(check=False)
    assert not run.completed and run.diagnosis == error.diagnosis


def test_ctrl_c_stops_with_results(oscillator):
    def press():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    # jobs in the background of a shell are started without
    signal.signal(signal.SIGINT, signal.default_int_handler)
    presser = threading.Thread(target=press)
    presser.start()
    clock = time.monotonic()
    with pytest.raises(rotula.Interrupted) as caught:
        oscillator.run(until=1e6, output_every=1.0, step=1e-4)
    presser.join()
    assert isinstance(caught.value, KeyboardInterrupt)
    assert time.monotonic() - clock < 20
    assert caught.value.results.t[-1] > 0


def test_other_threads_work_while_a_run_marches(oscillator):
    ticks = 0
    done = threading.Event()

    def count():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    oscillator.run(until=30.0, step=1e-4)
    done.set()
    counter.join()
    assert ticks > 20


def test_a_run_that_was_cut_off_goes_on_to_the_last_bit(oscillator, tmp_path):
    whole = oscillator.run()

    def power_cut(moment):
        if moment.t > 1.05:
            raise RuntimeError("dark")

    with pytest.raises(RuntimeError, match="dark"):
        oscillator.run(observer=power_cut, checkpoint=tmp_path, every="100steps")
    with pytest.raises(OSError, match="another run that is not finished"):
        oscillator.run(until=0.5, checkpoint=tmp_path)
    seen = []
    run = oscillator.run(observer=lambda moment: seen.append(moment.t), checkpoint=tmp_path, every="1h")
    assert 1.0 < seen[0] < 1.05  # from the checkpoint at 1 s
    np.testing.assert_array_equal(run.to_numpy(), whole.to_numpy())
    assert not (tmp_path / "checkpoint").exists()
    with pytest.raises(ValueError, match="write every=10s"):
        oscillator.run(checkpoint=tmp_path, every="soon")


def test_a_directory_is_enough_to_go_on(oscillator, tmp_path):
    def power_cut(moment):
        if moment.t > 1.05:
            raise RuntimeError("dark")

    values = {"until": 1.5, "step": 2e-3}
    whole = oscillator.run(**values)
    with pytest.raises(RuntimeError, match="dark"):
        oscillator.run(observer=power_cut, checkpoint=tmp_path, every="100steps", **values)
    seen = []
    run = rotula.resume(tmp_path, observer=lambda moment: seen.append(moment.t))
    assert 0.9 < seen[0] < 1.05
    np.testing.assert_array_equal(run.to_numpy(), whole.to_numpy())
    with pytest.raises(OSError, match="no unfinished run here"):
        rotula.resume(tmp_path)


def test_functions_are_not_on_disk(oscillator, tmp_path):
    def power_cut(moment):
        raise RuntimeError("dark")

    model = oscillator.copy()
    model.variable("steady", of="t", function=lambda t: 0.0)
    with pytest.raises(RuntimeError, match="dark"):
        model.run(observer=power_cut, checkpoint=tmp_path, every="1steps")
    with pytest.raises(rotula.InputError, match="`steady`") as caught:
        rotula.resume(tmp_path)
    assert "same call" in caught.value.remedy


def test_contacts_and_impacts_are_tables(tmp_path):
    ball = rotula.Model(
        gravity=[0, 0, -10],
        body={"ball": {"mass": 2.0, "inertia": [0.1, 0.1, 0.1], "at": [0, 0, 0.3], "shape": {"sphere": 0.1}}},
        contact={"floor": {"between": ["ground", "ball"], "first": {"plane": "z"}, "restitution": 0.5}},
        solve={"formulation": "nonsmooth", "step": 1e-3, "until": 2.0},
    )
    run = ball.run()
    events, contacts = run.events, run.contacts
    assert set(events["contact"]) == {"floor"} and set(events["second"]) == {"ball"}
    lost = 0.5 * 2.0 * (1 - 0.5**2) * events["velocity_before"] ** 2
    np.testing.assert_allclose(events["energy_lost"][:3], lost[:3], rtol=1e-8)
    assert run.audit["impacts"] == len(events["t"])
    # at rest it carries the weight, below the ball
    assert contacts["t"][-1] == run.t[-1]
    np.testing.assert_allclose(contacts["normal_force"][-1], 20.0, rtol=1e-6)
    np.testing.assert_allclose([contacts[axis][-1] for axis in "xyz"], 0.0, atol=1e-6)
    run.write(tmp_path)
    again = rotula.read_results(tmp_path)
    travelled = pickle.loads(pickle.dumps(run))
    for other in (again, travelled):
        for name, values in contacts.items():
            np.testing.assert_array_equal(other.contacts[name], values)
        for name, values in events.items():
            np.testing.assert_array_equal(other.events[name], values)


def test_a_run_is_a_page_in_a_notebook(tmp_path):
    model = rotula.load("examples/models/slider_crank.toml")
    run, other = model.run(until=0.2), model.run(until=0.2, set={"parameters.w": 9})
    page = run.page()
    assert page.startswith("<!doctype html>") and 'id="animation"' in page, "the mechanism moves"
    shown = run.show(height=300)
    markup = shown._repr_html_()
    assert markup.startswith("<iframe srcdoc=") and "height:300px" in markup
    assert "<script" not in markup, "the page is the value of an attribute"
    both = run.beside(other)
    both.save(tmp_path / "both.html")
    text = (tmp_path / "both.html").read_text(encoding="utf-8")
    data = json.loads(text.split('<script id="data" type="application/json">')[1].split("</script>")[0])
    assert data["beside"]["name"] == "Slider-crank" and "scene" not in data["beside"]
    with pytest.raises(ValueError, match="computed here"):
        pickle.loads(pickle.dumps(run)).page()


def test_frames_know_their_units():
    run = rotula.load("examples/models/slider_crank.toml").run(until=0.1)
    units = run.to_pandas(["slider.x", "crank.wz"]).attrs["units"]
    assert units == {"slider.x": "m", "crank.wz": "rad/s"}
