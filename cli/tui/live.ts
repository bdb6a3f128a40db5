import { setTimeout as pause } from 'node:timers/promises';
import type { Access } from '../access/access.ts';
import type { App } from './app.ts';
import { type EventNotice, everything } from './screen-types.ts';

/** Milliseconds in which what happens is gathered: a thousand changes at once are one look at the list. */
const gathering = 150;
/** Milliseconds before a stream that was refused, or a service that has none, is asked again. */
const retry = 10_000;

/** Tells the dashboard what happens in the service, until the signal. Without a stream it looks by itself now and then. */
export async function followChanges(
  access: Pick<Access, 'follow'>,
  app: Pick<App, 'happened' | 'setLive'>,
  signal: AbortSignal,
): Promise<void> {
  const gathered = gather(app);
  while (!signal.aborted) {
    try {
      const news = access.follow({
        signal,
        onConnect() {
          app.setLive(true);
          // What happened while nobody told is looked for.
          gathered.add({ type: everything, id: null });
        },
        onLost: () => app.setLive(false),
      });
      for await (const each of news) {
        if (each.type === 'gap') gathered.add({ type: everything, id: null });
        else gathered.add({ type: each.type, id: each.subject_id });
      }
    } catch {
      // The screens tell what is wrong with the connection when they look.
    }
    app.setLive(false);
    await pause(retry, undefined, { signal }).catch(() => {});
  }
  gathered.stop();
}

function gather(app: Pick<App, 'happened'>) {
  let happenings: EventNotice[] = [];
  let timer: NodeJS.Timeout | undefined;
  return {
    add(happening: EventNotice) {
      happenings.push(happening);
      timer ??= setTimeout(() => {
        timer = undefined;
        const told = happenings;
        happenings = [];
        app.happened(told);
      }, gathering);
    },
    stop: () => clearTimeout(timer),
  };
}
