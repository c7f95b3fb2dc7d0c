"""Examples of every command, which its `--help` ends with."""

from __future__ import annotations

from bosquet.core.installed import names

GAME, OTHER = names()[:2]
EXAMPLES = {
    "play": [f"bosquet play {GAME} -b level2", f"bosquet play {OTHER} -n 3 --seats Ann,greedy,Bob"],
    "serve": ["bosquet serve", "bosquet serve --port 8000 --no-browser"],
    "bots": ["bosquet bots", "bosquet bots --json"],
    "simulate": [
        f"bosquet simulate {OTHER} -b level1,greedy -g 20",
        f"bosquet simulate {GAME} --records games.jsonl",
    ],
    "arena": [
        f"bosquet arena {OTHER} -b points.py,greedy -g 200",
        f"bosquet arena {GAME} -b level1,level2,level3 --out match",
    ],
    "evaluate": [
        f"bosquet evaluate {OTHER} -n 2 -b points.py -o result.jsonl",
        "bosquet evaluate --verify result.jsonl",
    ],
    "bot": ["bosquet bot greedy", "bosquet bot points.py --server LINK --stay"],
    "replay": ["bosquet replay games.jsonl", "bosquet replay games.jsonl --trace"],
    "score": ["bosquet score game.json", "bosquet score game.json --json"],
    "analyse": ["bosquet analyse game.json", "bosquet analyse game.json --simulations 2000 --luck 50"],
    "position": [
        "bosquet position --record game.json --ply 3 --view 0",
        "bosquet position --record game.json --json",
    ],
    "site": ["bosquet site public", "bosquet site public --base /games/"],
    "backup": ["bosquet backup tables.backup", "bosquet backup tables.backup --force --data /srv/bosquet"],
    "restore": ["bosquet restore tables.backup", "bosquet restore tables.backup --data /srv/bosquet"],
    "check": ["bosquet check", "bosquet check --data /srv/bosquet"],
    "worker": ["bosquet worker --bus redis://10.0.0.5:6379", "bosquet worker --kind bots --processes 4"],
    "selfplay": [
        f"bosquet selfplay {OTHER} -o games.parquet",
        f"bosquet selfplay {GAME} -b level1 -g 200 -o games.parquet",
    ],
    "train": [f"bosquet train {GAME} -n 2 -o mine", f"bosquet train {OTHER} -o mine --pieces 16 --workers 8"],
    "puzzles": ["bosquet puzzles -o puzzles.jsonl", f"bosquet puzzles -o puzzles.jsonl -g {OTHER} -c 50"],
    "bench": [f"bosquet bench {OTHER}", f"bosquet bench {GAME} --env --peers none --seconds 5"],
}
