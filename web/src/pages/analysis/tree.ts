// The moves that were tried from a position, as a tree: the first move after a position goes on its line, the others begin
// branches. A tree is never changed; what changes it returns another one.

import type { Move } from "../../client/messages";

/** The position from which all moves go out. */
export const ROOT = 0;

export interface Tried {
  say: string;
  seat: number;
  /** The move as data, for its words. */
  move: Move;
  /** In the game that was played: how many plies of its record lead up to the next decision. */
  plies?: number | undefined;
}

export interface Node extends Tried {
  id: number;
  parent: number;
}

/** Moves of one seat in a row; how deep is the branch that they belong to. */
export interface Row {
  depth: number;
  nodes: Node[];
}

export class Tree {
  readonly #byId: ReadonlyMap<number, Node>;
  readonly #children = new Map<number, Node[]>();

  constructor(readonly nodes: readonly Node[] = []) {
    this.#byId = new Map(nodes.map((node) => [node.id, node]));
    for (const node of nodes) this.#children.set(node.parent, [...this.childrenOf(node.parent), node]);
  }

  node(id: number): Node | undefined {
    return this.#byId.get(id);
  }

  childrenOf(id: number): readonly Node[] {
    return this.#children.get(id) ?? [];
  }

  /** The moves that lead to a position. */
  pathTo(id: number): Node[] {
    const path: Node[] = [];
    for (let node = this.node(id); node; node = this.node(node.parent)) path.unshift(node);
    return path;
  }

  /** The moves that go on from a position along its line. */
  lineFrom(id: number): Node[] {
    const line: Node[] = [];
    for (let [node] = this.childrenOf(id); node; [node] = this.childrenOf(node.id)) line.push(node);
    return line;
  }

  /** The position after a move from another one; it is added where it is not there. */
  with(parent: number, tried: Tried): { tree: Tree; id: number } {
    const before = this.childrenOf(parent).find(({ say }) => say === tried.say);
    if (before) return { tree: this, id: before.id };
    const id = 1 + Math.max(ROOT, ...this.#byId.keys());
    return { tree: new Tree([...this.nodes, { ...tried, id, parent }]), id };
  }

  /** The tree without a move and all that follows it. */
  without(id: number): Tree {
    const gone = new Set([id]);
    // What follows a move stands behind it.
    return new Tree(this.nodes.filter((node) => !(gone.has(node.id) || gone.has(node.parent)) || !gone.add(node.id)));
  }

  /** The last position of those that moves lead to, as far as they are there. */
  follow(says: readonly string[], from = ROOT): number {
    let at = from;
    for (const say of says) {
      const next = this.childrenOf(at).find((node) => node.say === say);
      if (!next) break;
      at = next.id;
    }
    return at;
  }

  /** The same choice's other moves, in order, with the one that was made. */
  siblingsOf(id: number): readonly Node[] {
    const node = this.node(id);
    return node ? this.childrenOf(node.parent) : [];
  }

  /** All moves in the order in which they are read: a branch follows the move in whose place it stands. */
  rows(): Row[] {
    const rows: Row[] = [];
    const place = (node: Node, depth: number, goesOn: boolean) => {
      const last = rows.at(-1);
      if (goesOn && last?.nodes.at(-1)?.seat === node.seat) last.nodes.push(node);
      else rows.push({ depth, nodes: [node] });
    };
    const walk = (from: number, depth: number) => {
      let goesOn = depth > 0;
      for (let at = from; ;) {
        const [first, ...others] = this.childrenOf(at);
        if (!first) return;
        place(first, depth, goesOn);
        for (const other of others) {
          place(other, depth + 1, false);
          walk(other.id, depth + 1);
        }
        goesOn = others.length === 0;
        at = first.id;
      }
    };
    walk(ROOT, 0);
    return rows;
  }
}
