import { hash } from 'node:crypto';
import connectPgSimple from 'connect-pg-simple';
import session, { type SessionData } from 'express-session';
import type { PlainPool } from '../../db/connection/plain-pool.ts';
import type { Database } from '../../db/connection/pool.ts';
import {
  insertSession,
  type LiveSession,
  selectLiveSession,
  touchSession,
} from '../../db/tables/sessions.ts';
import type { Log } from '../../services/call/log.ts';

declare module 'express-session' {
  interface SessionData {
    /** Stored with the session. */
    adminId: string;
  }
}

const PgStore = connectPgSimple(session);

/** The key of a session's row. Only a hash of the cookie's id is stored, so that reading the table opens no session. */
export function sessionKey(sid: string): string {
  return hash('sha256', sid, 'base64url');
}

export interface SessionStoreOptions {
  readonly db: Database;
  readonly pool: PlainPool;
  readonly idleSeconds: number;
  readonly maximumSeconds: number;
  readonly log: Log;
}

/**
 * The sessions of express-session in Postgres. connect-pg-simple prunes them. Reading is our own query, which joins
 * the admin, so that its e-mail, role and activity are those of this moment; so is starting one, which depends on the
 * admin too.
 */
export class SessionStore extends PgStore {
  readonly #db: Database;
  readonly #pool: PlainPool;
  readonly #idleSeconds: number;
  readonly #maximumSeconds: number;
  readonly #log: Log;

  constructor({ db, pool, idleSeconds, maximumSeconds, log }: SessionStoreOptions) {
    super({
      pool,
      tableName: 'sessions',
      errorLog: (...details: unknown[]) => log.error({ details: details.map(String) }, 'session store'),
    });
    this.#db = db;
    this.#pool = pool;
    this.#idleSeconds = idleSeconds;
    this.#maximumSeconds = maximumSeconds;
    this.#log = log;
    // Without the method, express-session neither writes the session on each request nor splits the response for it.
    Object.defineProperty(this, 'touch', { value: undefined });
  }

  /** express-session reads no session but the one that a sign-in takes the place of. */
  override get(sid: string, callback: (error: unknown, session?: SessionData | null) => void): void {
    this.find(sessionKey(sid)).then((admin) => {
      callback(null, admin && { cookie: new session.Cookie(), adminId: admin.id });
    }, callback);
  }

  /** Resolves with false, and starts none, where the admin may not have one (any more). */
  async start(
    tx: Database,
    sid: string,
    sess: Pick<SessionData, 'cookie' | 'adminId'>,
    passwordHash: string,
  ): Promise<boolean> {
    const maxAgeSeconds = this.#maximumSeconds;
    return await insertSession(tx, { sid: sessionKey(sid), sess, maxAgeSeconds, passwordHash });
  }

  /** express-session saves a session that has changed. Ours are written once, by `start`: nothing revives one. */
  override set(_sid: string, _session: SessionData, callback?: (error?: unknown) => void): void {
    callback?.();
  }

  /** express-session would end a session when another takes its place. The change that starts that one does, on record. */
  override destroy(_sid: string, callback?: (error?: unknown) => void): void {
    callback?.();
  }

  /**
   * The admin of the session of that key; null when it has ended.
   *
   * @param counts - whether its idle time starts anew
   */
  async find(key: string, counts = true): Promise<LiveSession['admin'] | null> {
    const found = await selectLiveSession(this.#pool, key, this.#idleSeconds);
    if (found === null) return null;
    if (found.stale && counts) {
      touchSession(this.#db, key).catch((err: unknown) => this.#log.warn({ err }, 'session not touched'));
    }
    return found.admin;
  }
}
