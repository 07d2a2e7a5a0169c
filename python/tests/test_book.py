"""The book is complete, and its links lead somewhere."""

import re

import pytest
from conftest import ROOT

SOURCE = ROOT / "docs" / "src"
GENERATED = SOURCE / "generated"
PAGES = sorted(SOURCE.rglob("*.md"))
WRITTEN = [page for page in PAGES if GENERATED not in page.parents]
LINK = re.compile(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def links(page):
    """Where a page links to, without what stands in code."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"\[`\[?([^`]*?)\]?`\]", r"[\1]", text)
    return [one or other for one, other in LINK.findall(CODE.sub("", text))]


def test_the_contents_list_every_page():
    listed = {link for link in links(SOURCE / "SUMMARY.md") if not link.startswith("generated/")}
    pages = {page.relative_to(SOURCE).as_posix() for page in WRITTEN} - {"SUMMARY.md"}
    assert listed == pages


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(SOURCE).as_posix())
def test_links_lead_somewhere(page):
    for link in links(page):
        target = link.split("#")[0]
        if not target or re.match(r"[a-z]+:", target):
            continue
        path = (page.parent / target).resolve()
        if GENERATED in path.parents and not GENERATED.exists():
            continue  # docs/build has not run
        assert path.exists(), f"{page.relative_to(ROOT)}: {link}"


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.relative_to(SOURCE).as_posix())
def test_formulas_are_closed(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = text.replace("`` $` ``", "").replace("`` `$ ``", "")
    opened, closed = text.count("$`"), text.count("`$")
    assert opened == closed, f"{opened} formulas begin, {closed} end"
