import { type Role, roles } from '../../../src/contract/vocabulary.ts';
import { type RawSearch, textOf, wordOf } from '../app/search-params.ts';

/** What the page of the sessions shows, as its address says. */
export interface SessionSearch {
  readonly q?: string | undefined;
  readonly role?: Role | undefined;
}

/** Reads the address of the page of the sessions, and ignores what is no filter. */
export function sessionSearch(search: RawSearch): SessionSearch {
  return { q: textOf(search.q), role: wordOf(roles, search.role) };
}
