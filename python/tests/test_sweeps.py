"""Sweeps by threads and on a cluster, with failures and interruptions."""

import math
import os
import signal

import numpy as np
import pytest

import rotula
import rotula.sweeping


def test_a_grid(oscillator):
    table = rotula.sweep(oscillator, {"parameters.k": [1.0, 4.0], "parameters.m": np.array([1.0, 4.0])}, until=1.0)
    assert len(table) == 4 and not table.failures
    np.testing.assert_array_equal(table["parameters.m"], [1, 4, 1, 4])
    exact = np.cos(np.sqrt(table["parameters.k"] / table["parameters.m"]))
    np.testing.assert_allclose(table["position.last"], exact, atol=1e-5)
    np.testing.assert_allclose(table["position.max"], 1.0)


def test_a_hypercube():
    cases = rotula.latin_hypercube({"a": (0, 1), "b": (1, 100)}, 10, seed=3, logarithmic=["b"])
    assert cases == rotula.latin_hypercube({"a": (0, 1), "b": (1, 100)}, 10, seed=3, logarithmic=["b"])
    assert sorted(int(case["a"] * 10) for case in cases) == list(range(10))
    assert sorted(int(math.log10(case["b"]) * 5) for case in cases) == list(range(10))
    with pytest.raises(rotula.InputError, match="positive"):
        rotula.latin_hypercube({"a": (0, 1)}, 10, logarithmic=["a"])


def test_failures_are_rows(oscillator):
    table = rotula.sweep(oscillator, [{"parameters.m": 1.0}, {"parameters.m": 0.0}], read=["x"], until=0.1)
    assert list(table["status"]) == ["done", "refused"]
    assert math.isnan(table["x.last"][1]) and len(table.failures) == 1
    with pytest.raises(rotula.InputError, match="no parameter `q`"):
        rotula.sweep(oscillator, {"parameters.q": [1]})
    with pytest.raises(rotula.InputError, match="give a list"):
        rotula.sweep(oscillator, {"parameters.m": 1})


def test_a_sweep_goes_on(oscillator, tmp_path):
    over = {"parameters.k": list(np.linspace(1, 2, 6))}
    whole = rotula.sweep(oscillator, over, directory=tmp_path, until=0.1)
    journal = tmp_path / "runs.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:4]) + lines[4][:20])
    again = rotula.sweep(oscillator, over, directory=tmp_path, until=0.1)
    np.testing.assert_array_equal(again["position.last"], whole["position.last"])
    assert len(journal.read_text().splitlines()) == 7
    with pytest.raises(rotula.InputError, match="another sweep"):
        rotula.sweep(oscillator, over, directory=tmp_path, until=0.2)


def test_tables_of_sweeps(oscillator, tmp_path):
    table = rotula.sweep(oscillator, {"parameters.k": [1.0, 2.0]}, until=0.1)
    assert list(table.to_pandas().columns) == table.columns
    table.to_csv(tmp_path / "sweep.csv")
    assert (tmp_path / "sweep.csv").read_text().startswith("parameters.k,status,message")
    table.to_parquet(tmp_path / "sweep.parquet")
    assert table.plot("parameters.k", "position.last").get_ylabel() == "position.last"
    assert "table" in table._repr_html_()


def test_a_cluster_that_loses_a_worker(oscillator, monkeypatch):
    distributed = pytest.importorskip("distributed")
    cases = [{"parameters.k": float(k)} for k in np.linspace(1, 5, 200)]
    facts = {"until": 5.0, "step": 1e-3, "output_every": 0.05}
    local = rotula.sweep(oscillator, cases, **facts)
    with distributed.LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            victim = next(iter(client.run(os.getpid).values()))
            finished = []

            def step(progress):
                finished.append(progress)
                if len(finished) == 20:
                    os.kill(victim, signal.SIGKILL)

            monkeypatch.setattr(rotula.sweeping._Progress, "step", step)
            remote = rotula.sweep(oscillator, cases, client=client, **facts)
            assert victim not in client.run(os.getpid).values()
    assert len(finished) == len(remote) == len(local) == 200
    for one, other in zip(local.rows, remote.rows, strict=True):
        assert {**one, "wall_seconds": 0} == {**other, "wall_seconds": 0}
