import { hash } from 'node:crypto';
import connectPgSimple from 'connect-pg-simple';
import session, { type SessionData } from 'express-session';
import type { Database } from '../../db/connection/database.ts';
import {
  type LiveSession,
  likePgPool,
  selectLiveSession,
  touchSession,
  updateSessionData,
} from '../../db/tables/accounts/sessions.ts';
import type { Log } from '../../services/call/observer.ts';

declare module 'express-session' {
  interface SessionData {
    /** The only data that is stored by the service itself. */
    adminId: string;
    /** The session as it is now, with its admin. Read by each request; JSON, and so the stored data, is without it. */
    live?: LiveSession & { readonly key: string; readonly toJSON: () => undefined };
  }
}

const PgStore = connectPgSimple(session);

/** Returns the key of a session's row: a hash of the cookie's id, so that reading the table gives access to no session. */
export function sessionKey(sid: string): string {
  return hash('sha256', sid, 'base64url');
}

export interface SessionStoreOptions {
  readonly db: Database;
  readonly idleSeconds: number;
  readonly log: Log;
}

/**
 * Keeps the sessions of express-session in Postgres. Only a sign-in inserts a row, in its transaction, so nothing here
 * restores a session that has ended.
 */
export class SessionStore extends PgStore {
  readonly #options: SessionStoreOptions;

  constructor(options: SessionStoreOptions) {
    super({
      pool: likePgPool(options.db),
      tableName: 'sessions',
      disableTouch: true,
      errorLog: (...details: unknown[]) =>
        options.log.error({ details: details.map(String) }, 'session store failed'),
    });
    this.#options = options;
    // Without this method, express-session does not compare the session once more at the end of each response.
    Object.defineProperty(this, 'touch', { value: undefined });
  }

  /** Reads a session with its admin, in one query. */
  async find(sid: string): Promise<SessionData | null> {
    const { db, idleSeconds } = this.#options;
    const key = sessionKey(sid);
    const found = await selectLiveSession(db, key, idleSeconds);
    if (found === null) return null;
    const { data, ...live } = found;
    // Without an expiry, so that express-session sends the cookie at sign-in only.
    return { ...data, cookie: { originalMaxAge: null }, live: { ...live, key, toJSON: () => undefined } };
  }

  override get(sid: string, callback: (error: unknown, session?: SessionData | null) => void): void {
    this.find(sid).then((found) => callback(null, found), callback);
  }

  /** Stores the data of a session that has not ended. */
  override set(sid: string, session: SessionData, callback: (error?: unknown) => void = () => {}): void {
    const { cookie: _cookie, ...data } = session;
    updateSessionData(this.#options.db, sessionKey(sid), data).then(() => callback(), callback);
  }

  override destroy(sid: string, callback?: (error?: unknown) => void): void {
    super.destroy(sessionKey(sid), callback);
  }

  /** Restarts the idle time of a session, at most once a minute. No response waits for it. */
  restartIdleTime(key: string): void {
    const { db, log } = this.#options;
    touchSession(db, key).catch((err: unknown) => log.warn({ err }, 'session idle time not updated'));
    // Starts the timer that prunes expired sessions. It writes nothing: `disableTouch`.
    super.touch(key, {} as SessionData);
  }
}
