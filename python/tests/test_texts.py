"""Snippets of the README and the notebooks run as they are."""

import os
import re

import pytest
from conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_snippets_of_the_readme(snippet, monkeypatch):
    monkeypatch.chdir(ROOT)
    exec(compile(snippet, "README.md", "exec"), {})


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks(path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=240, resources={"metadata": {"path": os.fspath(path.parent)}}).execute()


def test_the_script_to_begin_with(tmp_path, monkeypatch, capsys):
    script = (ROOT / "crates" / "cli" / "templates" / "script.py").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(compile(script.replace("NAME", "swing"), "swing.py", "exec"), {})
    assert "largest angle" in capsys.readouterr().out
    assert (tmp_path / "results" / "swing" / "report.html").exists()


def test_there_is_something_to_run():
    assert len(SNIPPETS) >= 2 and len(NOTEBOOKS) >= 5
