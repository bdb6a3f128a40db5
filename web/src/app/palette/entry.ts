import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../../parts/icon.tsx';

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

/** Reports whether each word of a text is in the label or the keywords of an entry. */
export function matches({ label, description = '', keywords = '' }: Entry, text: string): boolean {
  const known = `${label} ${description} ${keywords}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => known.includes(word));
}
