import { promisify } from 'node:util';
import type { Request, Response } from 'express';
import session, { type SessionData } from 'express-session';
import type { Actor } from '../../services/call/actor.ts';
import type { SessionPort } from '../../services/context.ts';
import { authenticateApiToken } from '../../services/sign-in/tokens.ts';
import {
  bearerOf,
  cookieAttributes,
  cookieName,
  cookieNames,
  deviceName,
  readSessionCookie,
  sessionIdIn,
} from './cookie.ts';
import { SessionStore, type SessionStoreOptions, sessionKey } from './store.ts';

/** Only cookies that the service has signed count. */
const maxRememberedCookies = 10_000;

export type Sessions = ReturnType<typeof createSessions>;

interface SessionsOptions extends SessionStoreOptions {
  /** Newest first. */
  readonly secrets: readonly string[];
}

/** Handles sessions by cookie and API tokens by header. express-session only starts sessions. */
export function createSessions({ secrets, ...options }: SessionsOptions) {
  const { db, maxAgeSeconds, log } = options;
  const store = new SessionStore(options);
  const load = sessionLoader(store, secrets, maxAgeSeconds);
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
    if (bearer !== undefined) return await authenticateApiToken(db, bearer, log);
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
    /**
     * Returns the actor of the request's bearer token or else of its cookie, or null if neither is valid. The request
     * restarts the session's idle time, unless `refresh` is false.
     */
    async authenticate(req: Request, refresh?: boolean): Promise<Actor | null> {
      const actor = await authenticate(req, refresh);
      req.caller = actor;
      return actor;
    },
    close: async () => await store.close(),
    port(req: Request, res: Response): SessionPort {
      const device = deviceName(req.headers['user-agent']);
      return {
        device,
        async start(tx, admin) {
          await load(req, res);
          await promisify(req.session.regenerate.bind(req.session))();
          const { cookie } = req.session;
          let started = false;
          try {
            started = await store.start(tx, req.sessionID, cookie, admin, { device, address: req.ip ?? '' });
            // Set it last: an error response sent before this must not carry the cookie.
            if (started) {
              req.session.adminId = admin.id;
              writeAttributes(cookie, { maxAge: maxAgeSeconds, path: cookieAttributes(req).path });
            }
          } finally {
            // The cookie of a session that has not started would replace a valid one.
            if (!started) await promisify(req.session.destroy.bind(req.session))();
          }
          return started ? sessionKey(req.sessionID) : null;
        },
        forget() {
          res.clearCookie(cookieName(req), cookieAttributes(req));
          // Lists may be in the browser's cache. Its storage has drafts, which a sign-out keeps, and the cookies of the
          // site may be those of other services.
          res.setHeader('Clear-Site-Data', '"cache"');
        },
      };
    },
  };
}

function isoOf(secondsSince1970: number): string {
  return new Date(secondsSince1970 * 1_000).toISOString();
}

/** Has the cookie say how long it lasts. A time, which express-session sends, would be wrong if the clock is. */
function writeAttributes(
  cookie: SessionData['cookie'],
  attributes: { readonly maxAge: number; readonly path: string },
): void {
  // What express-session writes. Its types leave it out.
  const { data } = cookie as unknown as { readonly data: object };
  Object.defineProperty(cookie, 'data', { value: { ...data, expires: undefined, ...attributes } });
}

/** Returns a function that runs express-session's middleware for one request. */
function sessionLoader(store: SessionStore, secrets: readonly string[], maxAgeSeconds: number) {
  const middleware = (name: string) =>
    session({
      name,
      store,
      secret: [...secrets],
      resave: false,
      saveUninitialized: false,
      // Per request: the store creates every session with the options of the middleware that was made last.
      // It ignores requests outside of the path, which a proxy may have removed.
      cookie: (req) => ({ ...cookieAttributes(req), path: '/', maxAge: maxAgeSeconds * 1000 }),
    });
  const byName = new Map(Object.values(cookieNames).map((name) => [name, promisify(middleware(name))]));
  return async (req: Request, res: Response): Promise<void> => {
    await byName.get(cookieName(req))?.(req, res);
  };
}
