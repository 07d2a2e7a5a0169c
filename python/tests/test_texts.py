"""Snippets of the README and of the book, and the notebooks, run as they are."""

import os
import re

import pytest
from conftest import ROOT



def snippets(path):
    """Blocks of Python that are not marked to be left out."""
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


SNIPPETS = snippets(ROOT / "README.md")
CHAPTERS = [path for path in sorted((ROOT / "docs" / "src").rglob("*.md")) if snippets(path)]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_snippets_of_the_readme(snippet, monkeypatch):
    monkeypatch.chdir(ROOT)
    exec(compile(snippet, "README.md", "exec"), {})


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_chapters_of_the_book(path, tmp_path, monkeypatch):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    names = {}
    for snippet in snippets(path):
        exec(compile(snippet, os.fspath(path), "exec"), names)


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
    assert len(SNIPPETS) >= 2 and len(CHAPTERS) >= 1 and len(NOTEBOOKS) >= 5
