"""Check reports of pytest (`--junitxml`): every module of tests ran, and nothing was skipped but what may be.

Usage: suites_ran.py REPORT … What runs in steps of its own (PyTorch, Ray, Matplotlib, Parquet files, npm) may be
skipped, and what needs compiled rules in one report if it ran in another one.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree

TESTS = Path(__file__).parents[1] / "tests"
APART = (
    "tests/env/test_sb3.py",
    "tests/env/test_decisions.py",
    "tests/engine/test_package.py",
    "tests/browser/test_engine_package.py",
)
"""Left out where the extras that they import, or the compiler of TypeScript, are not installed."""
MAY_BE_SKIPPED = (
    "needs PyTorch",
    "Ray is not installed",
    "Matplotlib is not installed",
    "a library of this command is not installed",
    "could not import 'ziglang'",
    "needs ptxas",
    "no JavaScriptCore here",
    "the compiler is not installed",
    "the compiler that the package is made with is not installed",
)
PLAIN = "BOSQUET_JIT=0"

ran: set[str] = set()
skipped: dict[str, str] = {}
for report in sys.argv[1:]:
    for case in ElementTree.parse(report).iter("testcase"):
        suite, name = case.get("classname", ""), case.get("name", "")
        skip = case.find("skipped")
        reason = "" if skip is None else f"{skip.get('message')} {skip.text}"
        if skip is None or any(allowed in reason for allowed in MAY_BE_SKIPPED):
            # A test; its module; that of a class; one that was skipped as a whole.
            ran |= {f"{suite}::{name}", suite, suite.rpartition(".")[0], name}
        else:
            skipped[f"{suite}::{name}"] = reason
wrong = [f"{test} was skipped: {reason}" for test, reason in skipped.items() if PLAIN not in reason or test not in ran]
for module in sorted(TESTS.rglob("test_*.py")):
    if module.relative_to(TESTS.parent).as_posix() in APART:
        continue
    if ".".join(module.relative_to(TESTS.parent).with_suffix("").parts) not in ran:
        wrong.append(f"{module.relative_to(TESTS.parent)} did not run")
print("\n".join(wrong) or "every suite ran")
sys.exit(bool(wrong))
