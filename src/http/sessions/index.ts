import type { Request, Response } from 'express';
import type { Database } from '../../db/connection/database.ts';
import type { Actor } from '../../services/call/actor.ts';
import type { SessionPort } from '../../services/context.ts';
import { authenticateApiToken } from '../../services/sign-in/api-tokens.ts';
import { bearerOf, readSessionCookie, sessionIdIn } from './cookie.ts';
import { sessionPorts } from './start.ts';
import { type SessionStore, sessionKey } from './store.ts';

/** Only cookies that the service has signed count. */
const maxRememberedCookies = 10_000;

export interface Sessions {
  /**
   * Returns the actor of the request's bearer token or else of its cookie, or null if neither is valid. The log of the
   * request names it.
   *
   * @param refresh - whether the request restarts the session's idle time; by default it does
   */
  authenticate(req: Request, refresh?: boolean): Promise<Actor | null>;
  port(req: Request, res: Response): SessionPort;
}

export interface SessionsOptions {
  readonly db: Database;
  readonly store: SessionStore;
  readonly secrets: readonly string[];
  readonly maxAgeSeconds: number;
}

/**
 * Handles sessions by cookie and API tokens by header (design, "Sign-in and authority"). express-session only starts
 * sessions. All other requests read the session's row directly.
 */
export function createSessions({ db, store, secrets, maxAgeSeconds }: SessionsOptions): Sessions {
  const keys = new Map<string, string>();

  /** Returns the key of the session in the request's cookie. Remembers it: the signature of a cookie stays valid. */
  function sessionKeyOf(req: Request): string | undefined {
    const cookie = readSessionCookie(req);
    if (cookie === undefined) return undefined;
    const known = keys.get(cookie);
    if (known !== undefined) return known;
    const sid = sessionIdIn(cookie, secrets);
    if (sid === undefined) return undefined;
    if (keys.size === maxRememberedCookies) keys.clear();
    const key = sessionKey(sid);
    keys.set(cookie, key);
    return key;
  }

  async function authenticate(req: Request, refresh: boolean | undefined): Promise<Actor | null> {
    const bearer = bearerOf(req);
    if (bearer !== undefined) return await authenticateApiToken(db, bearer);
    const key = sessionKeyOf(req);
    if (key === undefined) return null;
    const session = await store.find(key, refresh);
    if (session === null) return null;
    const { admin, isEnrolling, expiresAt, idleExpiresAt } = session;
    const { id, role, email: name } = admin;
    const sessionEnds = { expires_at: isoOf(expiresAt), idle_expires_at: isoOf(idleExpiresAt) };
    return { kind: 'admin', id, role, door: 'http', name, admin, sessionKey: key, sessionEnds, isEnrolling };
  }

  return {
    async authenticate(req, refresh) {
      const actor = await authenticate(req, refresh);
      req.caller = actor;
      return actor;
    },
    port: sessionPorts(store, secrets, maxAgeSeconds),
  };
}

function isoOf(secondsSince1970: number): string {
  return new Date(secondsSince1970 * 1_000).toISOString();
}
