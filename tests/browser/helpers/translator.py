"""A browser's translation, as different browsers do it: it puts elements in the place of texts, or rewrites these."""

from __future__ import annotations

from playwright.sync_api import Page

WAYS = {
    "replaces": "(text, font) => text.replaceWith(font)",
    "puts beside and removes": "(text, font) => { text.before(font); text.remove(); }",
    "removes and puts": "(text, font) => { const next = text.nextSibling, parent = text.parentNode;"
    " text.remove(); parent.insertBefore(font, next); }",
    "wraps": "(text, font) => { text.before(font); font.replaceChildren(text); text.data += '·'; }",
    "rewrites": "text => { text.data = text.data.replaceAll('·', '') + '·'; }",
}
TRANSLATE = """() => {
    const put = WAY;
    const skipped = "[translate=no], .notranslate, script, style, svg, font, textarea";
    const translate = text => {
        if (!text.parentElement || text.parentElement.closest(skipped)) return;
        if (!text.data.trim() || text.data.endsWith("·")) return;
        const font = document.createElement("font"), inner = document.createElement("font");
        inner.textContent = text.data + "·";
        font.append(inner);
        put(text, font);
    };
    const walk = node => {
        if (node.nodeType === 3) return translate(node);
        const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT), texts = [];
        while (walker.nextNode()) texts.push(walker.currentNode);
        texts.forEach(translate);
    };
    const seen = records => setTimeout(() => {
        for (const {addedNodes, target, type} of records) {
            if (type === "characterData") walk(target);
            for (const node of addedNodes) if (node.isConnected) walk(node);
        }
    }, 20);
    new MutationObserver(seen).observe(document.body, {childList: true, subtree: true, characterData: true});
    walk(document.body);
}"""


def translate(page: Page, way: str) -> None:
    """Translate a page from now on, in one of the `WAYS`: each text gets a point at its end."""
    page.evaluate(TRANSLATE.replace("WAY", WAYS[way]))


def undo(page: Page) -> None:
    """Show the original again, as a browser does that has kept it: in other texts than those of the page."""
    page.evaluate(
        "() => document.querySelectorAll('font').forEach(font => font.isConnected"
        " && font.replaceWith(document.createTextNode(font.textContent.replaceAll('·', ''))))"
    )


def read(page: Page) -> list[str]:
    """The texts of a page without the marks of a translation, line by line; without what is only said aloud."""
    text: str = page.evaluate(
        """() => {
            const aloud = document.querySelectorAll(".unseen[aria-live]");
            aloud.forEach(node => node.hidden = true);
            const text = document.querySelector(".page").innerText;
            aloud.forEach(node => node.hidden = false);
            return text;
        }"""
    )
    lines = (" ".join(line.replace("·", "").split()) for line in text.split("\n"))
    return [line for line in lines if line]


def said(page: Page) -> str:
    """The last sentence that a screen reader was given."""
    text = page.locator(".unseen[aria-live]").last.text_content() or ""
    return text.replace("·", "").split(". ")[-1].strip()
