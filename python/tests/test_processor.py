"""Wheels hold the native part twice; which one is loaded follows from the processor."""

from pathlib import Path

import pytest

from rotula import _processor


@pytest.mark.parametrize(
    ("text", "wide"),
    [
        ("processor : 0\nflags\t\t: fpu sse2 fma avx avx2 bmi2\n", True),
        ("flags : fpu sse2 avx fma\n", False),
        ("flags : fpu sse2 avx2\nflags : avx2 fma\n", False),
        ("Features : fp asimd\n", False),
        ("", False),
    ],
)
def test_vectors_are_those_that_the_system_names(tmp_path: Path, text: str, wide: bool) -> None:
    information = tmp_path / "cpuinfo"
    information.write_text(text)
    assert _processor.has_wide_vectors(information) is wide


def test_a_system_that_tells_nothing_has_none(tmp_path: Path) -> None:
    assert not _processor.has_wide_vectors(tmp_path / "missing")
