"""Measures what an installation of bosquet weighs: every package that it requires, as files on disk.

`python -m benchmarks.install_size` looks at the packages of the Python that runs it. Bytecode counts where it is there.
A package that several others require is counted with the first of the lines that requires it.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Annotated

import typer
from packaging.requirements import Requirement

import bosquet

PARTS = {
    "NumPy": ("numpy",),
    "the compiler": ("numba",),
    "the database": ("sqlalchemy", "alembic"),
    "notices by push and e-mail": ("cryptography", "h11", "aiosmtplib"),
    "the server besides": ("starlette", "uvicorn", "uvloop", "httptools", "websockets", "itsdangerous", "openskill"),
}
"""What is weighed together; everything else that is required is the rest."""


def closure(name: str, met: set[str]) -> dict[str, int]:
    """Return the bytes of a package and of all that it requires here, but for those in `met`, to which it adds them."""
    name = re.sub(r"[-_.]+", "-", name).lower()
    if name in met:
        return {}
    met.add(name)
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return {}
    files = [Path(str(file.locate())) for file in found.files or ()]
    sizes = {name: sum(file.stat().st_size for file in files if file.is_file())}
    for other in required(name):
        sizes |= closure(other, met)
    return sizes


def own_bytes() -> int:
    """Return the bytes of bosquet itself, which may be installed as a checkout."""
    return sum(file.stat().st_size for file in Path(bosquet.__path__[0]).rglob("*") if file.is_file())


def required(name: str) -> list[str]:
    """Return the packages that a package requires here, without its extras."""
    texts = map(Requirement, distribution(name).requires or ())
    return [one.name for one in texts if one.marker is None or one.marker.evaluate({"extra": ""})]


def run(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Measure what is installed."""
    met = {"bosquet"}
    rows = {"bosquet, with its page": own_bytes()}
    for part, packages in PARTS.items():
        rows[part] = sum(sum(closure(name, met).values()) for name in packages)
    rows["the rest"] = sum(sum(closure(name, met).values()) for name in required("bosquet"))
    rows["together"] = sum(rows.values())
    if as_json:
        print(json.dumps(rows))
        return
    for what, size in rows.items():
        print(f"{what:28} {size / 1e6:7.1f} MB")


if __name__ == "__main__":
    typer.run(run)
