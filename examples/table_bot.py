"""A bot for a table of a server that needs nothing of bosquet: the protocol of docs/protocol.md over a WebSocket.

    python examples/table_bot.py http://127.0.0.1:8000/table/TABLE#INVITATION

It plays the move that scores most at once, of those that the table sends. Needs the package `websockets`.
"""

import json
import secrets
import sys
import urllib.request

from websockets.sync.client import connect

NAME = "Most points"


def main(link: str) -> None:
    """Sit down with the invitation of a link, and play the game to its end."""
    address, invitation = link.split("#")
    origin, table = address.split("/table/")

    # The first answer brings the cookie that says who one is.
    with urllib.request.urlopen(f"{origin}/api/lobby") as answer:
        cookie = answer.headers["set-cookie"].split(";")[0]
    headers = {"cookie": cookie, "content-type": "application/json"}
    body = json.dumps({"name": NAME, "invitation": invitation, "program": True}).encode()
    urllib.request.urlopen(urllib.request.Request(f"{origin}/api/tables/{table}/join", body, headers)).close()

    live = f"ws{origin.removeprefix('http')}/api/tables/{table}/live"
    with connect(live, additional_headers={"cookie": cookie}) as socket:
        for text in socket:
            told = json.loads(text)
            if told["type"] == "table" and told["assistance"] == "none":
                sys.exit("this table sends no moves, and this bot knows no rules")
            if told["type"] == "table" and told["phase"] == "waiting":
                if not told["seats"][told["mine"][0]]["ready"]:
                    socket.send(json.dumps({"type": "ready", "nonce": secrets.token_hex(16)}))
            elif told["type"] == "position":
                view = told["view"]
                if view["over"]:
                    print("points:", *view["scores"])
                    return
                if view["moves"]:
                    best = max(view["moves"], key=lambda move: move.get("points") or 0)
                    move = {"seat": view["seat"], "number": told["number"], "move": best["say"]}
                    socket.send(json.dumps({"type": "play", **move}))
            elif told["type"] == "refused" and told["code"] != "stale":
                sys.exit(told["message"])


if __name__ == "__main__":
    main(sys.argv[1])
