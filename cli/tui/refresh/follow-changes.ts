import { wait } from '../../../src/shared/waiting.ts';
import type { Access } from '../../access/access.ts';
import type { App } from '../state/app.ts';
import { anyEventType, type EventNotice } from '../state/screen-types.ts';

/** Events of this time are delivered together, so a thousand changes cause one refresh. */
const batchMs = 150;
/** The delay before a stream is requested again that was refused or that the service does not have. */
const retryMs = 10_000;

/**
 * Passes the service's events to the dashboard until the signal aborts. Without an event stream the dashboard relies on
 * polling.
 */
export async function followChanges(
  access: Pick<Access, 'follow'>,
  app: Pick<App, 'onEvents' | 'setLive'>,
  signal: AbortSignal,
): Promise<void> {
  const batch = batchEvents(app);
  while (!signal.aborted) {
    try {
      const events = access.follow({
        signal,
        onConnect() {
          app.setLive(true);
          // Anything may have changed before the stream was connected.
          batch.add({ type: anyEventType, id: null });
        },
        onLost: () => app.setLive(false),
      });
      for await (const event of events) {
        if (event.type === 'gap' || event.type === 'example_data.deleted')
          batch.add({ type: anyEventType, id: null });
        else batch.add({ type: event.type, id: event.subject_id, event });
      }
    } catch {
      // The screens report connection problems when they refresh.
    }
    app.setLive(false);
    await wait(retryMs, signal);
  }
  batch.stop();
}

function batchEvents(app: Pick<App, 'onEvents'>) {
  let events: EventNotice[] = [];
  let timer: NodeJS.Timeout | undefined;
  return {
    add(event: EventNotice) {
      events.push(event);
      timer ??= setTimeout(() => {
        timer = undefined;
        const batch = events;
        events = [];
        app.onEvents(batch);
      }, batchMs);
    },
    stop: () => clearTimeout(timer),
  };
}
