"""The book is complete, and its links lead somewhere."""

import re

import pytest
from conftest import ROOT

SOURCE = ROOT / "docs" / "src"
GENERATED = SOURCE / "generated"
# Those of the run of the gallery are pieces that pages of `verification` take in.
PAGES = sorted(page for page in SOURCE.rglob("*.md") if page.parent != GENERATED / "verification")
WRITTEN = [page for page in PAGES if GENERATED not in page.parents]
LINK = re.compile(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def links(page):
    """Where a page links to, without what stands in code."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"\[`\[?([^`]*?)\]?`\]", r"[\1]", text)
    return [one or other for one, other in LINK.findall(CODE.sub("", text))]


def anchors(page):
    """What a link into a page may name: its headings, as code-hosting sites and mdBook write them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


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
        assert path.exists(), f"{page.relative_to(ROOT)}: {link}"
        if path.suffix == ".md" and "#" in link:
            assert link.split("#")[1] in anchors(path), f"{page.relative_to(ROOT)}: {link}"


def test_every_picture_is_shown():
    shown = {(page.parent / link).resolve() for page in WRITTEN for link in links(page)}
    assert set((SOURCE / "pictures").iterdir()) <= shown


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.relative_to(SOURCE).as_posix())
def test_formulas_are_closed(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = text.replace("`` $` ``", "").replace("`` `$ ``", "")
    opened, closed = text.count("$`"), text.count("`$")
    assert opened == closed, f"{opened} formulas begin, {closed} end"


def words(section):
    """The keys of a section of model files, or of a table in it, as the reference lists them."""
    text = (GENERATED / "reference" / "mechanism.md").read_text(encoding="utf-8")
    table = text.split(section, 1)[1].split("|---|", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `([^`]+)` \|", table, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("page", "section"),
    [
        ("joints.md", "## `[joint.NAME]`"),
        ("sections.md", "**`section = { … }`**"),
        ("sensors.md", "## `[sensor.NAME]`"),
    ],
)
def test_pages_to_look_up_know_every_word(page, section):
    text = (SOURCE / page).read_text(encoding="utf-8")
    names = [word for word in words(section) if word != "description"]
    assert names
    for name in names:
        assert f"`{name}" in text, f"{page}: no {name}"
