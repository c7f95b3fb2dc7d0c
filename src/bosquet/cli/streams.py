"""Standard streams that take every character, whatever their encoding: it is shown by one that looks like it."""

from __future__ import annotations

import codecs
import io
import re
import sys
import unicodedata

LIKE = {
    **dict.fromkeys("–—‐‑−─╌╶╴", "-"),
    **dict.fromkeys("│╎╵╷", "|"),
    **dict.fromkeys("└┌├┘┴┐┤┬┼╭╮╰╯", "+"),
    **dict.fromkeys("·∙•", "."),
    **dict.fromkeys("‘’‚‛", "'"),
    **dict.fromkeys("“”„‟«»", '"'),
    **dict.fromkeys("↗↙", "/"),
    **dict.fromkeys("↖↘", "\\"),
    **dict(zip("←→↑↓◀▶", "<>^v<>", strict=True)),
    **dict(zip("●○▲■◆★▪░▒", "@o^#%*=:#", strict=True)),
    **dict(zip("▁▂▃▄▅▆▇█", "12345678", strict=True)),
    **{"×": "x", "±": "+-", "∞": "inf", "≈": "~", "≤": "<=", "≥": ">="},
}
"""What is written for characters that an encoding lacks. Those of boards keep their width."""
OTHER = "?"
NOT_ASCII = re.compile(r"[^\x00-\x7f]")
ERRORS = "bosquet.like"
"""The name of the error handler."""


def set_up() -> None:
    """Let no character that is printed or typed raise an error."""
    codecs.register_error(ERRORS, _like)
    for stream, errors in ((sys.stdout, ERRORS), (sys.stderr, ERRORS), (sys.stdin, "replace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def as_json(text: str) -> str:
    """Return JSON as standard output can show it: a program that reads it must get every character back."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text if encoding.lower().startswith("utf") else NOT_ASCII.sub(_escaped, text)


def like(text: str) -> str:
    """Return a text in ASCII that looks like another one."""
    return "".join(LIKE.get(character) or _plain(character) for character in text)


def _plain(character: str) -> str:
    """Return the letters that a character is composed of, without accents."""
    return unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode() or OTHER


def _like(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return like(error.object[error.start : error.end]), error.end


def _escaped(found: re.Match[str]) -> str:
    """Return a character as JSON escapes it: as one or two units of UTF-16."""
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
