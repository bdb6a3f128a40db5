import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useSession } from './session/session.ts';
import type { Store } from './store.ts';

/*
 * What a person has not finished or has chosen, as texts in the storage of the browser. All tabs share it, so that they show
 * the same: what was typed last.
 */

const listeners = new Set<() => void>();

/** Holds the texts that the browser refuses to store. Null was removed. */
const unstored = new Map<string, string | null>();

const keptPrefix = 'backoffice.kept.';

/** Returns the key under which something of an admin is kept. */
export const keptKey = (adminId: string, name: string): string => `${keptPrefix}${adminId}.${name}`;

// What is typed and only this page has would be lost with it.
addEventListener('beforeunload', (event) => {
  for (const [key, text] of unstored) if (text !== null && key.startsWith(keptPrefix)) event.preventDefault();
});

/** Returns the text of a key; null if there is none. */
export function keptText(key: string): string | null {
  const own = unstored.get(key);
  if (own !== undefined) return own;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns the texts of all keys that begin so. */
export function keptTexts(prefix: string): readonly string[] {
  const keys = [...unstored.keys()];
  try {
    keys.push(...Object.keys(localStorage));
  } catch {}
  return [...new Set(keys)].flatMap((key) => (key.startsWith(prefix) ? (keptText(key) ?? []) : []));
}

/** Keeps a text, or forgets it if it is null. */
export function keepText(key: string, text: string | null): void {
  unstored.delete(key);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The storage is full or refused. This page still has it.
    unstored.set(key, text);
  }
  for (const listener of listeners) listener();
}

/** Calls a function whenever the texts may have changed, in this tab or in another one of this browser. */
export function subscribeToTexts(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  // A page that the browser had frozen has missed what other tabs told.
  addEventListener('pageshow', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
    removeEventListener('pageshow', listener);
  };
}

/** Creates a store of one of some words, which this browser remembers. */
export function createStoredWord<Word extends string>(
  key: string,
  words: readonly Word[],
  first: Word,
): Store<Word> {
  const get = () => words.find((word) => word === keptText(key)) ?? first;
  return { get, set: (word) => keepText(key, word), use: () => useSyncExternalStore(subscribeToTexts, get) };
}

/**
 * Returns something unfinished, such as the text of a form, and a function to change it. The browser keeps it for each
 * admin, over a closed tab and an ended session, until it is set to undefined. All tabs have the same.
 *
 * @param name - what it is; a component for another name needs a `key`
 */
export function useKept<T>(name: string): readonly [T | undefined, (value: T | undefined) => void] {
  const key = keptKey(useSession().admin.id, name);
  const text = useSyncExternalStore(subscribeToTexts, () => keptText(key));
  const value = useMemo(() => parseKept<T>(text), [text]);
  const keep = useCallback(
    (next: T | undefined) => keepText(key, next === undefined ? null : JSON.stringify(next)),
    [key],
  );
  return [value, keep];
}

/** Reads a kept text. Undefined if there is none, or if it is damaged. */
export function parseKept<T>(text: string | null): T | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
