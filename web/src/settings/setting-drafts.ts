import { createStore } from '../app/store.ts';
import type { SettingChange } from './change-settings.ts';
import type { SettingRow } from './setting-rows.ts';

/** What a person has written for a setting and not saved. */
export interface Draft {
  /** The value when the person began to write; null if the setting was not set. */
  readonly seen: string | null;
  /** Null until the person writes: the field then follows the stored value. */
  readonly text: string | null;
  /** Why the service refused it. */
  readonly error?: string | undefined;
}

/** The fields that are open, by key. They outlive the page, so that a look at another page loses nothing. */
const drafts = createStore<ReadonlyMap<string, Draft>>(new Map());
let owner: string | undefined;

/** Returns the fields that are open, by key. */
export const useDrafts = drafts.use;

/** Forgets the drafts of another admin who used this window before. */
export function keepDraftsOf(adminId: string): void {
  if (owner !== undefined && owner !== adminId) drafts.set(new Map());
  owner = adminId;
}

/** Opens the field of a setting. */
export function openDraft(key: string): void {
  if (!drafts.get().has(key)) set(key, { seen: null, text: null });
}

/** Takes what is written. The first text also takes what the person saw. */
export function writeDraft(key: string, text: string, stored: string | null): void {
  const { seen = null, text: before = null } = drafts.get().get(key) ?? {};
  set(key, { seen: before === null ? stored : seen, text });
}

/** Lets the person overwrite what has changed meanwhile, which they have seen. */
export function acceptStored(key: string, stored: string | null): void {
  const draft = drafts.get().get(key);
  if (draft !== undefined) set(key, { ...draft, seen: stored, error: undefined });
}

/** Keeps why the service refused what is written. */
export function refuseDraft(key: string, error: string): void {
  const draft = drafts.get().get(key);
  if (draft !== undefined) set(key, { ...draft, error });
}

/** Closes fields, with what is written in them. */
export function closeDrafts(keys: readonly string[]): void {
  drafts.set(new Map([...drafts.get()].filter(([key]) => !keys.includes(key))));
}

/** Closes the fields that nobody has written in, when the person leaves the page. */
export function closeUntouched(): void {
  drafts.set(new Map([...drafts.get()].filter(([, draft]) => isDirty(draft))));
}

/** Reports whether a draft would change the setting. */
export function isDirty({ seen, text }: Draft): boolean {
  return text !== null && text !== (seen ?? '');
}

/** Returns the change that a draft makes. A setting that the service reads has its default if its field is empty. */
export function changeOf({ key, known, isSecret }: SettingRow, { seen, text }: Draft): SettingChange {
  return {
    key,
    before: isSecret ? undefined : seen,
    after: known !== undefined && text === '' ? null : text,
    isSecret,
  };
}

function set(key: string, draft: Draft): void {
  drafts.set(new Map([...drafts.get(), [key, draft]]));
}
