// The letter that stands for a player.

const characters = new Intl.Segmenter();

/** The first character of a name as people see it: of an emoji or a flag all that it is made of. */
export function initialOf(name: string): string {
  const [first] = characters.segment(name.trim());
  return first?.segment.toLocaleUpperCase() ?? "";
}
