import { recordedNames } from 'virtual:recorded-names';
import { eventTypes } from '../../../src/contract/event-types.ts';
import type { InputOf } from '../../../src/contract/registry.ts';
import { doors } from '../../../src/contract/vocabulary.ts';
import { wordOf, wordsOf } from '../app/search-params.ts';
import { boundsOf, dayOf, type Period, periodWords } from '../parts/time/period.ts';
import type { AuditSearch } from './audit-search.ts';

/** The filter of the list. */
export type AuditFilter = Pick<
  InputOf<'audit.list'>,
  'q' | 'actor' | 'event' | 'operation' | 'door' | 'subject_id' | 'since' | 'until'
>;

/** Returns the time of an address. */
export function auditPeriod({ when, from, to }: AuditSearch): Period {
  return { when: wordOf(periodWords, when), from: dayOf(from), to: dayOf(to) };
}

/** Returns the filter of an address, without words that do not exist. */
export function auditFilter(search: AuditSearch): AuditFilter {
  const { q, actor, subject: subject_id } = search;
  const filter = {
    q,
    actor,
    subject_id,
    event: wordsOf(eventTypes, search.event),
    operation: wordsOf(recordedNames, search.operation),
    door: wordsOf(doors, search.door),
    ...boundsOf(auditPeriod(search)),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
