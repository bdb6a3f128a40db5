import { numberOf, type RawSearch, textOf } from '../app/search-params.ts';
import { periodOf } from '../kit/address.ts';
import type { Period } from '../kit/period.ts';

/** What the audit page shows, as its address says. The page checks the words, which it loads with itself. */
export interface AuditSearch extends Period {
  readonly q?: string | undefined;
  readonly actor?: string | undefined;
  readonly event?: string | undefined;
  readonly door?: string | undefined;
  readonly subject?: string | undefined;
  /** The record in the drawer. */
  readonly entry?: number | undefined;
}

/** Reads the address of the audit page. */
export function auditSearch(search: RawSearch): AuditSearch {
  return {
    q: textOf(search.q),
    actor: textOf(search.actor),
    event: textOf(search.event),
    door: textOf(search.door),
    subject: textOf(search.subject),
    ...periodOf(search),
    entry: numberOf(search.entry),
  };
}
