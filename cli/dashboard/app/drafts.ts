import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '../../../src/files/make-folders.ts';
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

/** Writes a text into a new file that only this user can read, and returns its path. */
export async function keepText(folder: string, { title, text }: UnsavedText): Promise<string> {
  await makeFolders(folder, 0o700);
  const name = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const file = join(folder, `${time}-${name}-${crypto.randomUUID().slice(0, 4)}.txt`);
  await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}
