import { promisify } from 'node:util';
import type { Request, RequestHandler, Response } from 'express';
import session from 'express-session';
import type { Config } from '../config.ts';
import type { Database } from '../db/pool.ts';
import { authenticateApiToken } from '../services/api-tokens.ts';
import type { Actor, SessionPort } from '../services/context.ts';
import { type SessionStore, sessionKey } from './session-store.ts';

/** The cookie on HTTPS, which no other host can set, and the one on plain HTTP. */
const cookieNames = { secure: '__Host-backoffice', plain: 'backoffice' } as const;

export interface Sessions {
  /** Who sends a request, by its bearer token or else by its cookie; null where neither is valid. */
  authenticate(req: Request, res: Response): Promise<Actor | null>;
  port(req: Request, res: Response): SessionPort;
}

export interface SessionsOptions {
  readonly db: Database;
  readonly store: SessionStore;
  readonly secrets: readonly string[];
  readonly maximumSeconds: Config['sessionSeconds'];
}

/** Sign-in sessions by cookie (express-session) and API tokens by header (design, "Sign-in and authority"). */
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
    async authenticate(req, res) {
      const bearer = /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1];
      if (bearer !== undefined) return await authenticateApiToken(db, bearer);
      if (!req.headers.cookie?.includes(cookieName(req))) return null;
      await load(req, res);
      const { admin } = req.session;
      if (admin === undefined) return null;
      return {
        kind: 'admin',
        role: admin.role,
        door: 'http',
        name: admin.email,
        admin,
        sessionKey: sessionKey(req.sessionID),
      };
    },

    port: (req, res) => ({
      async start(adminId, passwordHash) {
        await load(req, res);
        await promisify(req.session.regenerate.bind(req.session))();
        req.session.adminId = adminId;
        const { cookie } = req.session;
        if (await store.start(req.sessionID, { cookie, adminId }, passwordHash)) return true;
        await promisify(req.session.destroy.bind(req.session))();
        return false;
      },
      async end() {
        // A token has no session to end.
        if (req.session === undefined) return;
        await promisify(req.session.destroy.bind(req.session))();
        res.clearCookie(cookieName(req), attributes(req));
      },
    }),
  };
}

function attributes(req: Request) {
  return { httpOnly: true, sameSite: 'strict', secure: req.secure, path: '/' } as const;
}

function cookieName(req: Request): string {
  return req.secure ? cookieNames.secure : cookieNames.plain;
}
