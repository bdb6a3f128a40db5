import { roles } from '../../../src/contract/vocabulary.ts';
import { type RawSearch, textOf, wordsOf } from '../app/search-params.ts';

/** What the page of the sessions shows, as its address says. */
export type SessionSearch = {
  readonly q?: string | undefined;
  readonly role?: string | undefined;
};

/** Reads the address of the page of the sessions, and ignores what is no filter. */
export function sessionSearch(search: RawSearch): SessionSearch {
  return { q: textOf(search.q), role: wordsOf(roles, search.role) };
}
