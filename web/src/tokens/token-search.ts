import { type RawSearch, textOf, wordOf } from '../app/search-params.ts';

const views = ['valid', 'ended', 'all'] as const;

/** What the tokens page shows, as its address says. */
export interface TokenSearch {
  readonly q?: string | undefined;
  /** Which tokens; without it the valid ones. */
  readonly show?: (typeof views)[number] | undefined;
  /** The dialog that is open. */
  readonly dialog?: 'new' | 'shell' | undefined;
}

/** Reads the address of the tokens page. */
export function tokenSearch(search: RawSearch): TokenSearch {
  return {
    q: textOf(search.q),
    show: wordOf(views, search.show),
    dialog: wordOf(['new', 'shell'], search.dialog),
  };
}
