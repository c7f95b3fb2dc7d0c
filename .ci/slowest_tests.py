"""List the slowest tests of reports of pytest (`--junitxml`), setup and teardown included.

Usage: slowest_tests.py REPORT …
"""

import sys
from pathlib import Path
from xml.etree import ElementTree

SHOWN = 15

took: list[tuple[float, str]] = []
for report in filter(Path.exists, map(Path, sys.argv[1:])):
    for case in ElementTree.parse(report).iter("testcase"):
        took.append((float(case.get("time", 0)), f"{case.get('classname')}::{case.get('name')}"))
for seconds, test in sorted(took, reverse=True)[:SHOWN]:
    print(f"{seconds:7.1f} s  {test}")
