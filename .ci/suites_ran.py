"""Check a report of pytest (`--junitxml`): every module of tests ran, and nothing was skipped but what may be.

Usage: suites_ran.py REPORT. What runs in steps of its own (PyTorch, Ray, Parquet files) may be skipped.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree

TESTS = Path(__file__).parents[1] / "tests"
APART = ("tests/env/test_sb3.py", "tests/env/test_selfplay.py")
"""Left out where the extras that they import are not installed."""
MAY_BE_SKIPPED = ("needs PyTorch", "Ray is not installed")

ran: set[str] = set()
wrong: list[str] = []
for case in ElementTree.parse(sys.argv[1]).iter("testcase"):
    suite, name = case.get("classname", ""), case.get("name", "")
    skipped = case.find("skipped")
    reason = "" if skipped is None else f"{skipped.get('message')} {skipped.text}"
    if skipped is None or any(allowed in reason for allowed in MAY_BE_SKIPPED):
        ran |= {suite, suite.rpartition(".")[0], name}  # a module; that of a class; one that was skipped as a whole
    else:
        wrong.append(f"{suite}::{name} was skipped: {reason}")
for module in sorted(TESTS.rglob("test_*.py")):
    if module.relative_to(TESTS.parent).as_posix() in APART:
        continue
    if ".".join(module.relative_to(TESTS.parent).with_suffix("").parts) not in ran:
        wrong.append(f"{module.relative_to(TESTS.parent)} did not run")
print("\n".join(wrong) or "every suite ran")
sys.exit(bool(wrong))
