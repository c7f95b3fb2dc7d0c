// The box that is drawn: its steps, what the engine finds in it, and how this browser keeps it.

import { openEngine } from "../../../core/engines";
import type { BoxFindings } from "../../../engine/boxes";
import type { Client } from "../../../engine/client";
import { EngineError } from "../../../engine/errors";
import { device, parsed } from "../../../shell/store";
import { readObject } from "../../../ui/jsonFile";
import { CARDS, contentOf, type Draft, draftOf, emptyDraft, fileOf, keptOf } from "./draft";
import { begin, redo, step, type Steps, undo } from "./steps";

const GAME = "schlossgarten";
const KEPT = `bosquet.box.${GAME}`;

/** What can be said of a card. */
export interface CardState {
  /** Cards that are the same when they are turned clockwise by a number of quarters. */
  twins: { other: number; quarters: number }[];
}

export class Editor {
  #steps = $state.raw<Steps<Draft>>(begin(emptyDraft()));
  /** What was found last, and in which box. */
  #findings = $state.raw<BoxFindings & { of: Draft }>({ problems: [], twins: [], of: emptyDraft() });
  /** Whether there is something to draw on: a box that was kept, or that of the house. */
  ready = $state(false);
  /** Whether what was found is about the box as it is now; without an engine it never is. */
  checked = $state(false);
  /** Whether the engine can't be had. */
  unchecked = $state(false);
  /** Whether the browser keeps what is drawn when the page is closed. */
  kept = $state(true);
  /** The card that is drawn, from 0. */
  card = $state(0);
  /** What was wrong with the file that was opened last. */
  refused = $state.raw<{ file: string; messages: string[] }>();
  #engine: Client | undefined;
  #house = $state.raw<Draft>();
  /** The box as it is saved elsewhere: in a file, or as that of the house. */
  #saved = $state<string>();
  #asked = 0;
  #closed = false;

  get draft(): Draft {
    return this.#steps.now;
  }

  get canUndo(): boolean {
    return this.#steps.before.length > 0;
  }

  get canRedo(): boolean {
    return this.#steps.after.length > 0;
  }

  get isSaved(): boolean {
    return fileOf(this.draft) === (this.#saved ?? fileOf(emptyDraft()));
  }

  get isRight(): boolean {
    return this.checked && !this.#findings.problems.length;
  }

  get hasHouse(): boolean {
    return this.#house !== undefined;
  }

  readonly cards: CardState[] = $derived.by(() => {
    const { twins, of } = this.#findings;
    const found = Array.from({ length: CARDS }, (): CardState => ({ twins: [] }));
    const isSame = (card: number) => of.cards[card - 1] === this.draft.cards[card - 1];
    // Cards that were drawn on since are found anew.
    for (const { card, other, quarters } of twins.filter((one) => isSame(one.card) && isSame(one.other))) {
      found[card - 1]!.twins.push({ other, quarters });
      found[other - 1]!.twins.push({ other: card, quarters: (4 - quarters) % 4 });
    }
    return found;
  });

  /** Take up what is kept, else the box of the house, and the engine that checks it. */
  async open(): Promise<void> {
    const kept = device.read(KEPT);
    if (kept !== undefined) this.#begin(draftOf(kept));
    try {
      const engine = await openEngine(GAME);
      if (this.#closed) return engine.close();
      this.#engine = engine;
      this.#house = draftOf(await engine.ask("houseBox", null));
      this.#saved ??= fileOf(this.#house);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.unchecked = true;
    }
    if (!this.ready) this.#begin(this.#house ?? emptyDraft());
    await this.#inspect();
  }

  close(): void {
    this.#closed = true;
    this.#engine?.close();
  }

  /** Change something; changes of the same `thing` one after the other are undone together. */
  change(changed: Partial<Draft>, thing?: string): void {
    this.#set(step(this.#steps, { ...this.draft, ...changed }, thing));
  }

  undo(): void {
    this.#set(undo(this.#steps));
  }

  redo(): void {
    this.#set(redo(this.#steps));
  }

  /** Draw on from the box of the house, or from an empty one. */
  replace(by: "house" | "empty"): void {
    const draft = by === "house" ? this.#house : emptyDraft();
    if (!draft) return;
    this.refused = undefined;
    this.#saved = fileOf(draft);
    this.#set(step(this.#steps, draft));
  }

  /** Draw on from a file, as far as that can be read; where it holds no JSON object, return what is known of why. */
  async read(file: File): Promise<string | undefined> {
    const { content, problem } = await readObject(file);
    if (!content) return problem;
    // What is nested too deeply can't be sent to the engine.
    const found = await this.#find(content).catch(() => null);
    if (found === null) return "";
    const messages = found?.problems.map(({ message }) => message) ?? [];
    const draft = draftOf(content);
    this.refused = messages.length ? { file: file.name, messages } : undefined;
    this.#saved = messages.length ? "" : fileOf(draft);
    this.#set(step(this.#steps, draft));
    return undefined;
  }

  /** The box file. It counts as saved from now on. */
  save(): Blob {
    this.#saved = fileOf(this.draft);
    return new Blob([this.#saved], { type: "application/json" });
  }

  /** Take over what another tab of the browser has drawn; it can be undone as a step of this one. */
  follow({ key, newValue }: StorageEvent): void {
    if (key !== KEPT || newValue === null) return;
    const draft = draftOf(parsed(newValue));
    this.kept = true;
    if (!this.ready) this.#begin(draft);
    else if (newValue !== keptOf(this.draft)) this.#show(step(this.#steps, draft));
  }

  #begin(draft: Draft): void {
    this.#steps = begin(draft);
    this.ready = true;
  }

  #set(steps: Steps<Draft>): void {
    if (steps === this.#steps) return;
    this.#show(steps);
    this.kept = device.set(KEPT, keptOf(steps.now));
  }

  #show(steps: Steps<Draft>): void {
    this.#steps = steps;
    void this.#inspect();
  }

  async #inspect(): Promise<void> {
    const asked = ++this.#asked;
    this.checked = false;
    const of = this.draft;
    const found = await this.#find(contentOf(of));
    if (!found || asked !== this.#asked) return;
    this.#findings = { ...found, of };
    this.checked = true;
  }

  /** What the engine finds in the content of a file; nothing without it. */
  async #find(content: Record<string, unknown>): Promise<BoxFindings | undefined> {
    try {
      return await this.#engine?.ask("inspectBox", { content });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.unchecked = !this.#closed;
      return undefined;
    }
  }
}
