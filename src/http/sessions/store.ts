import { hash } from 'node:crypto';
import connectPgSimple from 'connect-pg-simple';
import session, { type SessionData } from 'express-session';
import type { Database } from '../../db/connection/database.ts';
import {
  insertSession,
  type LiveSession,
  likePgPool,
  type SessionOrigin,
  selectLiveSession,
  touchSession,
} from '../../db/tables/accounts/sessions.ts';
import type { Log } from '../../services/call/observer.ts';
import type { StartingAdmin } from '../../services/context.ts';

declare module 'express-session' {
  interface SessionData {
    adminId: string;
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
  readonly maxAgeSeconds: number;
  readonly log: Log;
}

/**
 * Keeps the sessions of express-session in Postgres. connect-pg-simple prunes them. Our own queries read and start
 * them: reading joins the admin, so that e-mail, role and activity are current, and starting depends on the admin.
 */
export class SessionStore extends PgStore {
  readonly #options: SessionStoreOptions;

  constructor(options: SessionStoreOptions) {
    super({
      pool: likePgPool(options.db),
      tableName: 'sessions',
      errorLog: (...details: unknown[]) =>
        options.log.error({ details: details.map(String) }, 'session store failed'),
    });
    this.#options = options;
    // Without this method, express-session does not write the session, or split the response, on each request.
    Object.defineProperty(this, 'touch', { value: undefined });
  }

  /** Finds nothing: express-session asks only for the session that a sign-in replaces, and needs none of its data. */
  override get(_sid: string, callback: (error: unknown, session?: SessionData | null) => void): void {
    callback(null, null);
  }

  async start(
    tx: Database,
    sid: string,
    cookie: SessionData['cookie'],
    { id: adminId, passwordHash, isEnrolling }: StartingAdmin,
    origin: SessionOrigin,
  ): Promise<boolean> {
    const { maxAgeSeconds } = this.#options;
    const started = { sid: sessionKey(sid), sess: { cookie, adminId }, maxAgeSeconds, origin };
    return await insertSession(tx, { ...started, passwordHash, isEnrolling });
  }

  /** Does nothing: only `start` writes a session, so that no request restores one that has ended. */
  override set(_sid: string, _session: SessionData, callback?: (error?: unknown) => void): void {
    callback?.();
  }

  /** Does nothing: the sign-in that replaces a session ends it, and records that. */
  override destroy(_sid: string, callback?: (error?: unknown) => void): void {
    callback?.();
  }

  /** Returns a session with its admin. `refresh` restarts its idle time, at most once a minute. */
  async find(key: string, refresh = true): Promise<LiveSession | null> {
    const { db, idleSeconds, log } = this.#options;
    const session = await selectLiveSession(db, key, idleSeconds);
    if (!session?.stale || !refresh) return session;
    touchSession(db, key).catch((err: unknown) => log.warn({ err }, 'session idle time not updated'));
    return { ...session, idleExpiresAt: session.renewedIdleExpiresAt };
  }
}
