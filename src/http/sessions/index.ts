import type { Request, Response } from 'express';
import type { Database } from '../../db/connection/pool.ts';
import type { Actor } from '../../services/call/actor.ts';
import type { SessionPort } from '../../services/context.ts';
import { authenticateApiToken } from '../../services/sign-in/api-tokens.ts';
import type { AuthorityMemo } from '../../services/sign-in/authority-memo.ts';
import { bearerOf } from './bearer.ts';
import { readSessionId } from './cookie.ts';
import { sessionPorts } from './start.ts';
import { type SessionStore, sessionKey } from './store.ts';

export interface Sessions {
  /**
   * Returns the actor of the request's bearer token or else of its cookie, or null if neither is valid.
   *
   * @param refresh - whether the request restarts the session's idle time; by default it does
   */
  authenticate(req: Request, refresh?: boolean): Promise<Actor | null>;
  port(req: Request, res: Response): SessionPort;
}

export interface SessionsOptions {
  readonly db: Database;
  readonly authority: AuthorityMemo;
  readonly store: SessionStore;
  readonly secrets: readonly string[];
  readonly maxAgeSeconds: number;
}

/**
 * Handles sessions by cookie and API tokens by header (design, "Sign-in and authority"). express-session only starts
 * sessions. All other requests read the session's row directly.
 */
export function createSessions({ db, authority, store, secrets, maxAgeSeconds }: SessionsOptions): Sessions {
  return {
    async authenticate(req, refresh) {
      const bearer = bearerOf(req);
      if (bearer !== undefined) return await authenticateApiToken(db, authority, bearer);
      const sid = readSessionId(req, secrets);
      if (sid === undefined) return null;
      const key = sessionKey(sid);
      const admin = await store.find(key, refresh);
      if (admin === null) return null;
      const { id, role, email: name } = admin;
      return { kind: 'admin', id, role, door: 'http', name, admin, sessionKey: key };
    },
    port: sessionPorts(store, secrets, maxAgeSeconds),
  };
}
