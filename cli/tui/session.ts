import type { Access } from '../access/access.ts';
import { followChanges } from './refresh/follow-changes.ts';
import type { App } from './state/app.ts';

/** The dashboard on one workplace: its state, and the events that keep it current. */
export interface Session {
  readonly app: App;
  start(): void;
  /** Refreshes everything, and follows the events on a new connection: the old one may have ended without a sign. */
  resume(): Promise<void>;
  /** Resolves when it is stopped. */
  stop(): Promise<void>;
}

export function createSession(app: App, access: Pick<Access, 'follow'>): Session {
  let stopFollowing = async () => {};
  const follow = () => {
    const stopped = new AbortController();
    const following = followChanges(access, app, stopped.signal);
    stopFollowing = async () => {
      stopped.abort();
      await following;
    };
  };
  return {
    app,
    start() {
      app.start();
      follow();
    },
    async resume() {
      app.refreshAll();
      await stopFollowing();
      follow();
    },
    async stop() {
      app.stop();
      await stopFollowing();
    },
  };
}
