import { promisify } from 'node:util';
import type { Request, RequestHandler, Response } from 'express';
import session from 'express-session';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/connection/pool.ts';
import type { Actor } from '../../services/call/actor.ts';
import type { SessionPort } from '../../services/call/context.ts';
import { authenticateApiToken } from '../../services/sign-in/api-tokens.ts';
import { readSessionId } from './cookie.ts';
import { type SessionStore, sessionKey } from './store.ts';

/** The cookie on HTTPS, which no other host can set, and the one on plain HTTP. */
const cookieNames = { secure: '__Host-backoffice', plain: 'backoffice' } as const;

export interface Sessions {
  /**
   * Who sends a request, by its bearer token or else by its cookie; null where neither is valid.
   *
   * @param counts - whether the session's idle time starts anew with the request; by default it does
   */
  authenticate(req: Request, counts?: boolean): Promise<Actor | null>;
  port(req: Request, res: Response): SessionPort;
}

export interface SessionsOptions {
  readonly db: Database;
  readonly store: SessionStore;
  readonly secrets: readonly string[];
  readonly maximumSeconds: Config['sessionSeconds'];
}

/**
 * Sign-in sessions by cookie and API tokens by header (design, "Sign-in and authority"). express-session starts them;
 * every other request needs no more than their row.
 */
export function createSessions({ db, store, secrets, maximumSeconds }: SessionsOptions): Sessions {
  const middleware = (secure: boolean) =>
    session({
      name: secure ? cookieNames.secure : cookieNames.plain,
      store,
      secret: [...secrets],
      resave: false,
      saveUninitialized: false,
      // By request: the store makes every session with the options of whichever middleware came last.
      cookie: (req) => ({ ...attributes(req), maxAge: maximumSeconds * 1000 }),
    });
  const secure = middleware(true);
  const plain = middleware(false);

  const load = async (req: Request, res: Response): Promise<void> => {
    const run: RequestHandler = req.secure ? secure : plain;
    await new Promise<void>((resolve, reject) => {
      run(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
  };

  return {
    async authenticate(req, counts) {
      const bearer = bearerOf(req);
      if (bearer !== undefined) return await authenticateApiToken(db, bearer);
      const sid = readSessionId(req.headers.cookie, cookieName(req), secrets);
      if (sid === undefined) return null;
      const key = sessionKey(sid);
      const admin = await store.find(key, counts);
      if (admin === null) return null;
      const { id, role, email: name } = admin;
      return { kind: 'admin', id, role, door: 'http', name, admin, sessionKey: key };
    },

    port: (req, res) => ({
      async start(tx, adminId, passwordHash) {
        await load(req, res);
        await promisify(req.session.regenerate.bind(req.session))();
        const { cookie } = req.session;
        let started = false;
        try {
          started = await store.start(tx, req.sessionID, { cookie, adminId }, passwordHash);
          // Only now: an answer that goes out meanwhile would take the cookie along.
          if (started) req.session.adminId = adminId;
        } finally {
          // The cookie of a session that has not started would take the place of one that is good.
          if (!started) await promisify(req.session.destroy.bind(req.session))();
        }
        return started ? sessionKey(req.sessionID) : null;
      },
      forget() {
        res.clearCookie(cookieName(req), attributes(req));
      },
    }),
  };
}

function attributes(req: Request) {
  return { httpOnly: true, sameSite: 'strict', secure: req.secure, path: '/' } as const;
}

function bearerOf(req: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1];
}

function cookieName(req: Request): string {
  return req.secure ? cookieNames.secure : cookieNames.plain;
}
