import { singleFlight } from '../../shared/waiting/single-flight.ts';
import { within } from '../../shared/waiting/wait.ts';
import { runAs } from '../connection/caller.ts';
import type { PlainPool } from '../connection/plain-pool.ts';

/** A position in the primary's write-ahead log, such as `0/1A2B3C8`. */
export type WalPosition = string;

/**
 * Where the log of the primary ends, so that each change whose caller has been answered is before it. A commit is on disk
 * when it is answered, unless `synchronous_commit` is off.
 */
export const walPosition = `
  case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn()
  end
`;

/** As long as the pool waits for a connection. */
const timeoutMs = 3_000;

/**
 * Returns a function that reads the primary's position. One query runs at a time, and answers all callers that asked
 * before it was sent: a change that a caller knows of is never after its position.
 */
export function createPositionReader(primary: PlainPool): () => Promise<WalPosition> {
  let previous: Promise<unknown> = Promise.resolve();
  const query = singleFlight(async () => {
    await previous;
    // From here on, callers need a later position.
    query.forget();
    const position = within(
      timeoutMs,
      // Callers share the query, so it is none of theirs.
      runAs(undefined, () => selectPosition(primary)),
      () => new Error('The primary did not answer.'),
    );
    previous = position.catch(() => {});
    return await position;
  });
  return query.run;
}

async function selectPosition(primary: PlainPool): Promise<WalPosition> {
  const { rows } = await primary.query<{ position: WalPosition }>(
    `select (${walPosition})::text as position`,
  );
  return rows[0]?.position ?? '';
}
