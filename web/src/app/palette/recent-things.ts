import { useEffect } from 'react';
import type { Entry } from './entry.ts';

const storageKey = 'backoffice-recent-things';
const maxThings = 6;

/** A thing without what only a program knows of it, so that it can be stored. */
type RecentThing = Omit<Entry, 'run'>;

/** Returns the things that were opened lately in this tab, the latest first. */
export function recentThings(): readonly RecentThing[] {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
  } catch {
    return [];
  }
}

/** Remembers the thing that a page shows, however it was opened; undefined until it is known. */
export function useRememberThing(thing: RecentThing | undefined): void {
  const text = JSON.stringify(thing);
  useEffect(() => {
    if (text !== undefined) rememberThing(JSON.parse(text));
  }, [text]);
}

/** Remembers a thing as long as the tab is open. */
export function rememberThing({ run: _, ...thing }: Entry): void {
  const others = recentThings().filter(({ key }) => key !== thing.key);
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([thing, ...others].slice(0, maxThings)));
  } catch {
    // A browser may refuse its storage. Nothing is remembered then.
  }
}

/** Forgets all of them: the next person at this browser need not know. */
export function forgetThings(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // As above.
  }
}
