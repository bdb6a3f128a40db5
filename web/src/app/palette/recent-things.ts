import { useEffect } from 'react';
import { lastKnownSession } from '../session/session.ts';
import type { Entry } from './entry.ts';

/** Of each admin their own: the next person at this browser need not know. */
const keyOf = () => `backoffice-recent-things ${lastKnownSession()?.admin.id}`;
const maxThings = 6;

/** A thing without what only a program knows of it, so that it can be stored. */
type RecentThing = Omit<Entry, 'run'>;

/** Returns the things that were opened lately in this tab, the latest first. */
export function recentThings(): readonly RecentThing[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf()) ?? '[]');
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
    sessionStorage.setItem(keyOf(), JSON.stringify([thing, ...others].slice(0, maxThings)));
  } catch {
    // A browser may refuse its storage. Nothing is remembered then.
  }
}
