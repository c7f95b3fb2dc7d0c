// What was entered on a score page, kept in this browser so that a reload loses nothing.

const STORED = "bosquet.score.";

export class Kept<Entered extends object> {
  value: Entered;

  /** To be made while a component is set up. */
  constructor(
    name: string,
    private fresh: () => Entered,
  ) {
    this.value = $state({ ...fresh(), ...stored(name) });
    $effect(() => localStorage.setItem(STORED + name, JSON.stringify(this.value)));
  }

  /** Begin anew; who plays stays. */
  startOver(stays: Partial<Entered>): void {
    this.value = { ...this.fresh(), ...stays };
  }
}

function stored(name: string): object {
  try {
    return JSON.parse(localStorage.getItem(STORED + name) ?? "{}");
  } catch {
    return {};
  }
}
