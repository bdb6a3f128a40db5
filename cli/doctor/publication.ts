import type { Database } from '../../src/db/connection/database.ts';
import { selectPublicationState } from '../../src/db/outbox/record-changes.ts';
import { counted } from '../output/number.ts';
import { type Finding, ok, warning } from './finding.ts';

/** An instance that works publishes a change within milliseconds, and within seconds what a killed process left. */
const maxWaitSeconds = 10;

/** Checks that recorded changes become events and audit records. */
export async function checkPublication(db: Database): Promise<Finding> {
  const { changes, oldest_seconds } = await selectPublicationState(db, maxWaitSeconds);
  if (changes === 0) return ok('publication', 'all changes are events and audit records');
  const age = counted(Math.floor(oldest_seconds), 'second');
  const detail = `${counted(changes, 'change')} not yet published as events and audit records, the oldest for ${age}`;
  const advice =
    'Start an instance. If one runs, look for "changes cannot be published" in its log, which says why.';
  return warning('publication', detail, advice);
}
