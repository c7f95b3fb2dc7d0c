"""Records of whole games."""

from __future__ import annotations

import json
from typing import Any

from bosquet.lab.matches import Match

Record = dict[str, Any]


def played(name: str, **options: Any) -> Record:
    options = {"players": 2, **options}
    record: Record = json.loads(json.dumps(Match(name, options, ["greedy"], 1).checked().play(0).record()))
    return record


RECORDS = {
    "topiary": played("topiary"),
    "draft": played("topiary", players=3, draft=True),
    "topas": played("topas"),
    "alone": played("topas", players=1),
    "schlossgarten": played("schlossgarten"),
}
