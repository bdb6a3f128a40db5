import type { Request, RequestHandler, Response } from 'express';
import session from 'express-session';
import { insertSession } from '../../db/tables/accounts/sessions.ts';
import type { Actor } from '../../services/call/actor.ts';
import type { SessionPort } from '../../services/context.ts';
import { authenticateApiToken } from '../../services/sign-in/tokens.ts';
import {
  bearerOf,
  cookieAttributes,
  cookieName,
  cookieNames,
  deviceName,
  SessionCookie,
  sessionIdReader,
} from './cookie.ts';
import { SessionStore, type SessionStoreOptions, sessionKey } from './store.ts';

export type Sessions = ReturnType<typeof createSessions>;

interface SessionsOptions extends SessionStoreOptions {
  readonly maxAgeSeconds: number;
  /** Newest first. */
  readonly secrets: readonly string[];
}

/** Handles sessions by cookie and API tokens by header. */
export function createSessions({ secrets, maxAgeSeconds, ...options }: SessionsOptions) {
  const { db, log } = options;
  const store = new SessionStore(options);
  const sessionIdOf = sessionIdReader(secrets);
  const middleware = new Map(
    Object.values(cookieNames).map((name) => [
      name,
      session({ name, store, secret: [...secrets], resave: false, saveUninitialized: false }),
    ]),
  );

  /**
   * Loads `req.session` without what express-session does at the end of a response: it compares and saves the session, and
   * sends its cookie. It would cost a page of admins a seventh.
   */
  async function load(req: Request): Promise<void> {
    const sid = sessionIdOf(req);
    const data = sid === undefined ? null : await store.find(sid);
    if (data !== null) store.createSession(Object.assign(req, { sessionID: sid, sessionStore: store }), data);
  }

  async function authenticate(req: Request, refresh: boolean): Promise<Actor | null> {
    const bearer = bearerOf(req);
    if (bearer !== undefined) return await authenticateApiToken(db, bearer, log);
    // Endless answers ask again.
    const current = req.caller === undefined ? req.session : await store.find(req.sessionID);
    if (current?.live === undefined) return null;
    const { key, admin, isEnrolling, expiresAt, idleExpiresAt, renewedIdleExpiresAt, stale } = current.live;
    const renews = stale && refresh;
    if (renews) store.restartIdleTime(key);
    return {
      kind: 'admin',
      id: admin.id,
      role: admin.role,
      door: 'http',
      name: admin.email,
      admin,
      sessionKey: key,
      sessionEnds: { at: expiresAt, idleAt: renews ? renewedIdleExpiresAt : idleExpiresAt },
      isEnrolling,
    };
  }

  return {
    /** Sets `req.session`. A request that `mayStart` is false for can end its session, and must call `save` if it changes it. */
    middleware(mayStart: (req: Request) => boolean): RequestHandler {
      return async (req, res, next) => {
        // A token acts alone, whatever cookie comes with it.
        if (bearerOf(req) !== undefined) delete req.headers.cookie;
        if (mayStart(req)) return middleware.get(cookieName(req))?.(req, res, next);
        await load(req);
        next();
      };
    },
    /**
     * Returns the actor of the request's bearer token or else of its session, or null if neither is valid. The request
     * restarts the session's idle time, unless `refresh` is false.
     */
    async authenticate(req: Request, refresh = true): Promise<Actor | null> {
      const actor = await authenticate(req, refresh);
      req.caller = actor;
      return actor;
    },
    close: async () => await store.close(),
    port(req: Request, res: Response): SessionPort {
      return {
        get device() {
          return deviceName(req.headers['user-agent']);
        },
        async start(tx, { id: adminId, passwordHash, isEnrolling }) {
          const { session: previous, sessionID: previousId } = req;
          // Not `regenerate`, which also destroys the previous session, outside of the transaction that ends it.
          req.sessionStore.generate(req);
          const key = sessionKey(req.sessionID);
          const origin = { device: this.device, address: req.ip ?? '' };
          let started = false;
          try {
            const wanted = { sid: key, data: { adminId }, maxAgeSeconds, passwordHash, isEnrolling, origin };
            started = await insertSession(tx, wanted);
          } finally {
            // The cookie of a session that has not started would replace a valid one.
            if (!started) Object.assign(req, { session: previous, sessionID: previousId });
          }
          if (!started) return null;
          req.session.adminId = adminId;
          req.session.cookie = new SessionCookie({ ...cookieAttributes(req), maxAge: maxAgeSeconds });
          return key;
        },
        forget() {
          req.session.destroy((err) => {
            if (err) log.warn({ err }, 'session not destroyed');
          });
          res.clearCookie(cookieName(req), cookieAttributes(req));
          // Lists may be in the browser's cache. Its storage has drafts, which a sign-out keeps, and the cookies of the
          // site may be those of other services.
          res.setHeader('Clear-Site-Data', '"cache"');
        },
      };
    },
  };
}
