"""The native part for this processor: wheels have one for wide vectors beside the one for all."""

import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

NAME = "rotula._native"
WIDE = Path(__file__).with_name("_native_wide.abi3.so")


def has_wide_vectors(information: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether the processor has AVX2 and FMA, as far as Linux tells."""
    try:
        lines = information.read_text().splitlines()
    except OSError:
        return False
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    return {"avx2", "fma"} <= set(flags)


def choose() -> None:
    """Loads the native part for wide vectors if it is there and the processor has them; else the import finds the other."""
    if NAME in sys.modules or not WIDE.exists() or not has_wide_vectors():
        return
    loader = ExtensionFileLoader(NAME, str(WIDE))
    spec = spec_from_file_location(NAME, WIDE, loader=loader)
    if spec is not None:
        module = module_from_spec(spec)
        loader.exec_module(module)
        sys.modules[NAME] = module
