// A browser's translation puts <font> elements in the place of texts. What the page writes into such a text, or deletes
// with it, would then change nothing that is seen. Here each text is put back, empty, before the element that shows its
// translation; that goes as soon as the page writes, moves or deletes the text.

/** A translation, and what the text said that it is of. */
interface Translation {
  shown: Element;
  said: string;
}

class Translations {
  readonly #of = new WeakMap<Node, Translation>();
  readonly #texts = new WeakMap<Node, Text>();
  readonly #observer = new MutationObserver((records) => this.#heal(records));

  watch(root: Node): void {
    this.#observer.observe(root, { childList: true, characterData: true, subtree: true });
  }

  #heal(records: MutationRecord[]): void {
    const fresh = new Map(
      records.flatMap((record) => [...record.addedNodes].filter(isTranslation).map((shown) => [shown, record])),
    );
    const put = new Set<Node>();
    for (const record of records) {
      // What was written before the text was emptied here is there to be shown.
      if (record.type === "characterData") this.#drop(record.target, put.has(record.target));
      for (const node of record.removedNodes) {
        const shown = [...fresh].find(([one, added]) => !this.#texts.has(one) && inItsPlace(record, one, added))?.[0];
        const text = this.#texts.get(node);
        if (text && !node.parentNode) this.#retranslate(text, shown, record.addedNodes);
        else if (node instanceof Text && shown && node.parentNode !== record.target) {
          put.add(node);
          this.#putBack(node, shown);
        } else this.#drop(node, true);
      }
    }
    this.#observer.takeRecords(); // what was done here
  }

  /** Put a text back before the element that was put in its place. */
  #putBack(text: Text, shown: Element): void {
    if (shown.contains(text)) text.replaceWith(text.cloneNode());
    this.#link(text, shown, text.data);
    text.data = "";
    shown.before(text);
  }

  /** A translation has gone: there is another one in its place, or the text is shown again, instead of a copy of it. */
  #retranslate(text: Text, shown: Element | undefined, put: NodeList): void {
    const translation = this.#of.get(text);
    if (shown && translation) return this.#link(text, shown, translation.said);
    for (const node of put) if (node instanceof Text && node !== text) node.remove();
    this.#drop(text, true);
  }

  #link(text: Text, shown: Element, said: string): void {
    this.#of.set(text, { shown, said });
    this.#texts.set(shown, text);
  }

  /** Show no translation of a text any more; where nothing else was written, it says again what it said. */
  #drop(text: Node, restore: boolean): void {
    const translation = this.#of.get(text);
    if (!translation) return;
    this.#of.delete(text);
    translation.shown.remove();
    if (restore) (text as Text).data ||= translation.said;
  }
}

function isTranslation(node: Node): node is Element {
  return node.nodeName === "FONT";
}

/** Whether a translation that was `added` came to lie where something was `taken` from. */
function inItsPlace(taken: MutationRecord, shown: Node, added: MutationRecord): boolean {
  if (taken === added || taken.previousSibling === shown || taken.nextSibling === shown) return true;
  const [before, after] = [taken.previousSibling, taken.nextSibling];
  return taken.target === added.target && added.previousSibling === before && added.nextSibling === after;
}

/** Keep what the page writes alive while a browser translates it. */
export function outliveTranslation(): void {
  new Translations().watch(document.body);
}
