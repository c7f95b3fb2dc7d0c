"""Examples of every command, which its `--help` ends with."""

from __future__ import annotations

EXAMPLES = {
    "play": ["bosquet play topiary -b level2", "bosquet play topas -n 3 --seats Ann,greedy,Bob"],
    "serve": ["bosquet serve", "bosquet serve --port 8000 --no-browser"],
    "bots": ["bosquet bots", "bosquet bots --json"],
    "simulate": [
        "bosquet simulate topas -b level1,greedy -g 20",
        "bosquet simulate schlossgarten --records games.jsonl",
    ],
    "arena": [
        "bosquet arena topas -b points.py,greedy -g 200",
        "bosquet arena topiary -b level1,level2,level3 --out match",
    ],
    "bot": ["bosquet bot greedy", "bosquet bot points.py --server LINK --stay"],
    "replay": ["bosquet replay games.jsonl", "bosquet replay games.jsonl --trace"],
    "score": ["bosquet score game.json", "bosquet score game.json --json"],
    "analyse": ["bosquet analyse game.json", "bosquet analyse game.json --simulations 2000 --luck 50"],
    "position": [
        "bosquet position --record game.json --ply 3 --view 0",
        "bosquet position --record game.json --json",
    ],
    "backup": ["bosquet backup tables.backup", "bosquet backup tables.backup --force --data /srv/bosquet"],
    "restore": ["bosquet restore tables.backup", "bosquet restore tables.backup --data /srv/bosquet"],
    "check": ["bosquet check", "bosquet check --data /srv/bosquet"],
    "worker": ["bosquet worker --bus redis://10.0.0.5:6379", "bosquet worker --kind bots --processes 4"],
    "selfplay": [
        "bosquet selfplay topas -o games.parquet",
        "bosquet selfplay topiary -b level1 -g 200 -o games.parquet",
    ],
    "train": ["bosquet train topiary -n 2 -o mine", "bosquet train topas --expert -o mine --pieces 16 --workers 8"],
    "puzzles": ["bosquet puzzles -o puzzles.jsonl", "bosquet puzzles -o puzzles.jsonl -g topas -c 50"],
    "bench": ["bosquet bench topas", "bosquet bench topiary --env --peers none --seconds 5"],
}
