import { createHash } from 'node:crypto';
import connectPgSimple from 'connect-pg-simple';
import session, { type SessionData } from 'express-session';
import type { Database } from '../db/pool.ts';
import { type LiveSession, selectLiveSession, touchSession } from '../db/sessions.ts';
import type { SmallPool } from '../db/small-pool.ts';
import type { Log } from '../services/context.ts';

declare module 'express-session' {
  interface SessionData {
    /** Stored with the session. */
    adminId: string;
    /** Its admin as of now; read with the session, never stored. */
    admin: LiveSession['admin'];
  }
}

const PgStore = connectPgSimple(session);

/** The key of a session's row. Only a hash of the cookie's id is stored, so that reading the table opens no session. */
export function sessionKey(sid: string): string {
  return createHash('sha256').update(sid).digest('base64url');
}

export interface SessionStoreOptions {
  readonly db: Database;
  readonly pool: SmallPool;
  readonly idleSeconds: number;
  readonly log: Log;
}

/**
 * The sessions of express-session in Postgres. connect-pg-simple writes, ends and prunes them; reading is our own
 * query, which joins the admin, so that its e-mail, role and activity are those of this moment.
 */
export class SessionStore extends PgStore {
  readonly #db: Database;
  readonly #idleSeconds: number;
  readonly #log: Log;

  constructor({ db, pool, idleSeconds, log }: SessionStoreOptions) {
    super({
      pool,
      tableName: 'sessions',
      errorLog: (...details: unknown[]) => log.error({ details: details.map(String) }, 'session store'),
    });
    this.#db = db;
    this.#idleSeconds = idleSeconds;
    this.#log = log;
    // Without the method, express-session neither writes the session on each request nor splits the response for it.
    Object.defineProperty(this, 'touch', { value: undefined });
  }

  override get(sid: string, callback: (error: unknown, session?: SessionData | null) => void): void {
    this.#find(sessionKey(sid)).then((found) => callback(null, found), callback);
  }

  override set(
    sid: string,
    { admin: _admin, ...stored }: SessionData,
    callback?: (error?: unknown) => void,
  ): void {
    super.set(sessionKey(sid), stored as SessionData, callback);
  }

  override destroy(sid: string, callback?: (error?: unknown) => void): void {
    super.destroy(sessionKey(sid), callback);
  }

  async #find(key: string): Promise<SessionData | null> {
    const found = await selectLiveSession(this.#db, key, this.#idleSeconds);
    if (found === null) return null;
    if (found.stale) {
      touchSession(this.#db, key).catch((err: unknown) => this.#log.warn({ err }, 'session not touched'));
    }
    return { ...found.sess, admin: found.admin } as SessionData;
  }
}
