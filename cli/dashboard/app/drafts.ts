import type { Dialog } from './types.ts';

/** A dialog with a text that somebody has typed. */
export interface Draft extends Dialog {
  /** What it is: `reply to Ada Byron`. */
  readonly name: string;
  hasContent(): boolean;
  /** The text without secrets, for a file. */
  written(): string;
}

export interface UnsavedText {
  readonly title: string;
  readonly text: string;
}

/** The one register of what is typed and not saved. */
export interface Drafts {
  /** Returns the draft with that key, or makes it. */
  of<D extends Draft>(key: string, make: () => D): D;
  drop(key: string): void;
  has(key: string): boolean;
  unsaved(): readonly UnsavedText[];
}

export function drafts(): Drafts {
  const known = new Map<string, Draft>();
  return {
    of(key, make) {
      for (const [each, draft] of known) if (!draft.hasContent()) known.delete(each);
      const draft = (known.get(key) as ReturnType<typeof make> | undefined) ?? make();
      known.set(key, draft);
      return draft;
    },
    drop: (key) => void known.delete(key),
    has: (key) => known.get(key)?.hasContent() === true,
    unsaved: () =>
      [...known]
        .filter(([, each]) => each.hasContent())
        .map(([, each]) => ({ title: each.name, text: each.written() })),
  };
}
