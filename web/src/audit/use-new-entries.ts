import { useEffect, useRef, useState } from 'react';
import { client } from '../app/data/client.ts';
import { useLiveState } from '../app/data/live.ts';
import { noticeEndedSession } from '../app/data/query-client.ts';
import type { AuditFilter } from './audit-filter.ts';
import type { AuditEntry } from './audit-queries.ts';
import { latestEntry } from './latest-entry.ts';

const pageSize = 1_000;
/** With more, loading the list again is better. */
const maxEntries = 5_000;
/** Between two requests, however many entries are made. */
const pauseMs = 500;

interface NewEntries {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Whether there are more. */
  readonly isFull: boolean;
}

/** Returns the entries of a filter that were made since its list was loaded, whose newest entry is `newest`. */
export function useNewEntries(filter: AuditFilter, newest: number): NewEntries {
  const latest = latestEntry.use();
  const isLive = useLiveState() === 'live';
  const [found, setFound] = useState<NewEntries>({ entries: [], isFull: false });
  const position = useRef(newest);
  const isAsking = useRef(false);
  const ending = useRef(new AbortController());
  useEffect(() => () => ending.current.abort(), []);

  useEffect(() => {
    // A connection that was lost may have missed some, so each new one asks too.
    if (isLive && !found.isFull && !isAsking.current) void catchUp();
    async function catchUp(): Promise<void> {
      const { signal } = ending.current;
      isAsking.current = true;
      try {
        do {
          const upTo = latestEntry.get();
          const input = { ...filter, after: String(position.current), limit: pageSize };
          const { audit, nextCursor } = await client.call('audit.list', input, signal);
          position.current = Math.max(upTo, position.current, audit.at(-1)?.id ?? 0);
          if (audit.length > 0) {
            setFound(({ entries }) => ({
              entries: [...audit.toReversed(), ...entries],
              isFull: nextCursor != null || entries.length + audit.length > maxEntries,
            }));
          }
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        } while (latestEntry.get() > position.current && !signal.aborted);
      } catch (error) {
        // The next event asks again.
        noticeEndedSession(error);
      } finally {
        isAsking.current = false;
      }
    }
  }, [latest, isLive, found.isFull, filter]);
  return found;
}
