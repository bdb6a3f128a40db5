import { promisify } from 'node:util';
import type { Request, RequestHandler, Response } from 'express';
import session, { type SessionData } from 'express-session';
import type { SessionPort } from '../../services/context.ts';
import { cookieAttributes, cookieName, cookieNames, deviceName } from './cookie.ts';
import { type SessionStore, sessionKey } from './store.ts';

/** Returns a function that lets an operation start or forget the session of a request. */
export function sessionPorts(
  store: SessionStore,
  secrets: readonly string[],
  maxAgeSeconds: number,
): (req: Request, res: Response) => SessionPort {
  const load = sessionLoader(store, secrets, maxAgeSeconds);
  return (req, res) => ({
    device: deviceName(req.headers['user-agent']),
    async start(tx, admin) {
      await load(req, res);
      await promisify(req.session.regenerate.bind(req.session))();
      const { cookie } = req.session;
      let started = false;
      try {
        started = await store.start(tx, req.sessionID, cookie, admin, {
          device: deviceName(req.headers['user-agent']),
          address: req.ip ?? '',
        });
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
      // Lists may be in the browser's cache. Its storage has drafts, which a sign-out keeps, and the cookies of the site may
      // be those of other services.
      res.setHeader('Clear-Site-Data', '"cache"');
    },
  });
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
  const middleware = (name: string): RequestHandler =>
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
  const byName = new Map<string, RequestHandler>(
    Object.values(cookieNames).map((name) => [name, middleware(name)]),
  );
  return async (req: Request, res: Response): Promise<void> => {
    const run = byName.get(cookieName(req)) ?? ((_req, _res, next) => next());
    await new Promise<void>((resolve, reject) => {
      run(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
  };
}
