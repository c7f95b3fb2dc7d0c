"""Start Firefox for Playwright, and stand between them: `python bidi_relay.py FIREFOX ARGUMENT...`.

Playwright drives Firefox by WebDriver BiDi and sends commands of the newest Firefox when it opens a page, such as
`emulation.setMediaFeaturesOverride`. An older Firefox, as Debian has it, refuses them. The relay calls a refused
command done, because these only emulate devices, and passes on everything else as it is.
"""

from __future__ import annotations

import asyncio
import json
import sys

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

LISTENING = "WebDriver BiDi listening on "
"""What Firefox says before its address, and Playwright reads."""


def relayed(message: str) -> str:
    """Return a message of Firefox as Playwright gets it."""
    read = json.loads(message)
    if read.get("error") == "unknown command" and read["message"].startswith("emulation."):
        return json.dumps({"type": "success", "id": read["id"], "result": {}})
    return message


async def run(command: list[str]) -> None:
    """Run Firefox until it ends."""
    firefox = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    assert firefox.stderr is not None
    said = ""
    while not said.startswith(LISTENING):
        said = (await firefox.stderr.readline()).decode()
        if not said:
            raise SystemExit("Firefox ended before it listened")
    address = said.removeprefix(LISTENING).strip()

    async def relay(playwright: ServerConnection) -> None:
        assert playwright.request is not None
        async with connect(address + playwright.request.path, max_size=None) as browser:

            async def pass_commands() -> None:
                async for command in playwright:
                    await browser.send(command)
                await browser.close()

            async with asyncio.TaskGroup() as both:
                both.create_task(pass_commands())
                async for message in browser:
                    await playwright.send(relayed(str(message)))

    async with serve(relay, "127.0.0.1", 0, max_size=None) as server:
        port = server.sockets[0].getsockname()[1]
        print(f"{LISTENING}ws://127.0.0.1:{port}", file=sys.stderr, flush=True)
        while await firefox.stderr.readline():
            pass
        await firefox.wait()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1:]))
