import type { Dialog } from './types.ts';

/** A dialog with a text that somebody has typed. */
export interface Draft extends Dialog {
  hasContent(): boolean;
  /** The text without secrets, for a file. */
  written(): string;
}

export interface UnsavedText {
  /** What it is: `reply to Ada Byron`. */
  readonly title: string;
  readonly text: string;
}

/** The one register of what is typed and not saved. */
export interface Drafts {
  /** Returns the draft with that name, or makes it. */
  of<D extends Draft>(name: string, make: () => D): D;
  drop(name: string): void;
  has(name: string): boolean;
  unsaved(): readonly UnsavedText[];
}

export function drafts(): Drafts {
  const known = new Map<string, Draft>();
  return {
    of(name, make) {
      for (const [each, draft] of known) if (!draft.hasContent()) known.delete(each);
      const draft = (known.get(name) as ReturnType<typeof make> | undefined) ?? make();
      known.set(name, draft);
      return draft;
    },
    drop: (name) => void known.delete(name),
    has: (name) => known.get(name)?.hasContent() === true,
    unsaved: () =>
      [...known]
        .filter(([, each]) => each.hasContent())
        .map(([title, each]) => ({ title, text: each.written() })),
  };
}
