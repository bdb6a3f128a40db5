import { numberOf, type RawSearch, textOf } from '../app/search-params.ts';

/** What the audit page shows, as its address says. The page checks the words, which it loads with itself. */
export interface AuditSearch {
  readonly q?: string | undefined;
  readonly actor?: string | undefined;
  readonly event?: string | undefined;
  readonly operation?: string | undefined;
  readonly door?: string | undefined;
  readonly subject?: string | undefined;
  readonly when?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** `no` if new entries wait. */
  readonly follow?: string | undefined;
  /** The entry in the drawer. */
  readonly entry?: number | undefined;
}

/** Reads the address of the audit page. */
export function auditSearch(search: RawSearch): AuditSearch {
  return {
    q: textOf(search.q),
    actor: textOf(search.actor),
    event: textOf(search.event),
    operation: textOf(search.operation),
    door: textOf(search.door),
    subject: textOf(search.subject),
    when: textOf(search.when),
    from: textOf(search.from),
    to: textOf(search.to),
    follow: textOf(search.follow),
    entry: numberOf(search.entry),
  };
}
