import { useEffect } from 'react';
import type { EventOrGap } from '../../../../src/contract/events/envelope.ts';
import { loadPart } from '../lazy-part.ts';
import { sessionQuery, useSession } from '../session/session.ts';
import { createStore } from '../store.ts';
import { queryClient } from './query-client.ts';
import { receivers } from './reload.ts';
import type { LiveState } from './shared-stream.ts';

const liveState = createStore<LiveState>('connecting');

/** Returns whether what is shown is kept up to date. */
export const useLiveState = liveState.use;

/** Tells what the page has loaded of an event. */
function receive(event: EventOrGap): void {
  for (const receiver of receivers) receiver(event);
  // Example data is of every noun. Long lists read their rows again by themselves, part by part.
  if (event.type === 'gap' || event.type === 'example_data.deleted')
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'rows' });
}

/** The id of the last event that this page knows. */
let latestEvent: number | undefined;

/** Follows the events while the page is open, whatever it shows. */
export function useLive(): void {
  const { isLimited } = useSession();
  useEffect(() => {
    if (isLimited) return;
    let ending = new AbortController();
    const start = () => {
      ending = new AbortController();
      void follow(ending.signal);
    };
    const stop = () => ending.abort();
    // The browser may keep a page that one has left, stopped, and show it again.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && start();
    addEventListener('pagehide', stop);
    addEventListener('pageshow', onShow);
    start();
    return () => {
      removeEventListener('pagehide', stop);
      removeEventListener('pageshow', onShow);
      stop();
    };
  }, [isLimited]);
}

/**
 * Follows the events after the last one that this page knows. At first, that is the one that was the latest before the
 * page loaded its data: they may change while the stream connects.
 */
async function follow(signal: AbortSignal): Promise<void> {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  // The next sign-in follows them again.
  if (!session) return;
  latestEvent ??= session.latestEvent;
  // After the page, which can be seen without it.
  const { SharedStream } = await loadPart(() => import('./shared-stream.ts'));
  const stream = new SharedStream({
    adminId: session.admin.id,
    after: latestEvent,
    onEvent(event) {
      latestEvent = event.id;
      receive(event);
    },
    onState: liveState.set,
    signal,
  });
  // The client has told what the service refuses for good, such as after the end of the session.
  await stream.follow().catch(() => undefined);
}
