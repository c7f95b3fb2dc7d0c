// What the build tells the worker about the files of the page; `build/worker.ts` writes it.

export interface Build {
  /** The script of index.html. Its name has a hash of its content, in which the names of all other files stand. */
  entry: string;
  /** What any page without a network needs. */
  shell: string[];
  /** What the other pages need in any language. */
  more: string[];
  /** The words of the other pages by language. */
  words: Record<string, string[]>;
}

/** What notices say, by language. */
export type NoticeWords = Record<
  string,
  Record<
    | "push_turn"
    | "push_turns"
    | "push_until"
    | "push_invitation"
    | "push_invitations"
    | "push_invited"
    | "push_stood_in"
    | "push_stood_ins"
    | "push_played"
    | "push_reminder"
    | "push_stop",
    string
  >
>;
