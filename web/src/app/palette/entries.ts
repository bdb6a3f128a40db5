import type { LinkProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { IconName } from '../../parts/icon.tsx';
import { lastKnownSession } from '../session/session.ts';

/** A line of the palette. */
export interface Entry {
  /** Unique in the palette. */
  readonly key: string;
  readonly label: string;
  /** What tells it from others of the same name. */
  readonly description?: string;
  readonly icon?: IconName;
  /** Keys that do the same. */
  readonly shortcut?: string | undefined;
  /** Further words that find it. */
  readonly keywords?: string | undefined;
  /** Whether it is a row such as an issue, which is offered again later. */
  readonly isThing?: true;
  readonly link?: Pick<LinkProps, 'to' | 'search'> | undefined;
  readonly run?: (() => void) | undefined;
}

export interface EntryGroup {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** From this length on, the beginning of a keyword is enough: two letters are the beginning of too many. */
const enough = 3;

/** Returns the entries that have each word of a text. Those that have all of them in their label come first. */
export function entriesWith(text: string, entries: readonly Entry[]): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/);
  const isShown = ({ label, description = '' }: Entry, word: string) =>
    `${label} ${description}`.toLowerCase().includes(word);
  const isKeyword = ({ keywords = '' }: Entry, word: string) =>
    keywords.split(' ').some((known) => known === word || (word.length >= enough && known.startsWith(word)));
  return entries
    .filter((entry) => words.every((word) => isShown(entry, word) || isKeyword(entry, word)))
    .toSorted(
      (a, b) =>
        Number(words.every((word) => isShown(b, word))) - Number(words.every((word) => isShown(a, word))),
    );
}

/** Of each admin their own: the next person at this browser need not know. */
const keyOf = () => `backoffice-recent-things ${lastKnownSession()?.admin.id}`;
const maxThings = 6;

/** Returns the things that were opened lately in this tab, the latest first. */
export function recentThings(): readonly Entry[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf()) ?? '[]');
  } catch {
    return [];
  }
}

/** Remembers the thing that a page shows, however it was opened; undefined until it is known. */
export function useRememberThing(thing: Entry | undefined): void {
  const text = JSON.stringify(thing);
  useEffect(() => {
    if (text !== undefined) rememberThing(JSON.parse(text));
  }, [text]);
}

/** Remembers a thing as long as the tab is open. */
export function rememberThing(thing: Entry): void {
  const others = recentThings().filter(({ key }) => key !== thing.key);
  try {
    sessionStorage.setItem(keyOf(), JSON.stringify([thing, ...others].slice(0, maxThings)));
  } catch {
    // A browser may refuse its storage. Nothing is remembered then.
  }
}
