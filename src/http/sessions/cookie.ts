import { parseCookie } from 'cookie';
import { unsign } from 'cookie-signature';
import type { Request } from 'express';
import session, { type CookieOptions } from 'express-session';
import { prefixOf } from '../requests/base-path.ts';

/**
 * On HTTPS, the `__Host-` prefix stops other hosts from setting the cookie. It needs the path `/`. Under a path, the cookie
 * has that one instead, so that other services of the host do not receive it.
 */
export const cookieNames = {
  host: '__Host-backoffice',
  secure: '__Secure-backoffice',
  plain: 'backoffice',
} as const;

export function cookieName(req: Request): (typeof cookieNames)[keyof typeof cookieNames] {
  if (!req.secure) return cookieNames.plain;
  return prefixOf(req) === '' ? cookieNames.host : cookieNames.secure;
}

export function cookieAttributes(req: Request) {
  const path = prefixOf(req);
  return { httpOnly: true, sameSite: 'strict', secure: req.secure, path: path === '' ? '/' : path } as const;
}

/**
 * The cookie of a new session. It says how long it lasts: a time, which express-session sends, would be wrong if the clock
 * is.
 */
export class SessionCookie extends session.Cookie {
  /** What express-session sends. */
  readonly data: CookieOptions;

  constructor(attributes: CookieOptions) {
    super();
    this.data = attributes;
  }
}

const maxRememberedIds = 10_000;

/** Returns what a text says without its signature, or undefined if none of the secrets has signed it. */
export function signedText(text: string, secrets: readonly string[]): string | undefined {
  return secrets.map((secret) => unsign(text, secret)).find((signed) => signed !== false);
}

/** Returns a function that returns the id in the session cookie of a request, if one of the secrets has signed it. */
export function sessionIdReader(secrets: readonly string[]): (req: Request) => string | undefined {
  // Signed cookies only: a signature stays valid.
  const ids = new Map<string, string>();
  return (req) => {
    const name = cookieName(req);
    const header = req.headers.cookie;
    const value = header?.includes(name) ? parseCookie(header)[name] : undefined;
    if (!value?.startsWith('s:')) return undefined;
    const known = ids.get(value);
    if (known !== undefined) return known;
    const id = signedText(value.slice(2), secrets);
    if (id === undefined) return undefined;
    if (ids.size === maxRememberedIds) ids.clear();
    ids.set(value, id);
    return id;
  };
}

/** Returns the bearer token of a request, whether valid or not. */
export function bearerOf(req: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1];
}

/** The names that a User-Agent has of each browser. The first that matches is right: many pretend to be others too. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?(iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(node|undici)\b/, 'Node.js'],
  [/^python-|^Python\//, 'Python'],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Longer headers tell nothing more. */
const maxLength = 512;

/** Returns the browser and the system that a User-Agent names, such as `Firefox on Windows`. Never what a caller wrote. */
export function deviceName(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, maxLength);
  const nameIn = (names: typeof browsers) => names.find(([pattern]) => pattern.test(text))?.[1];
  const browser = nameIn(browsers) ?? 'Unknown browser';
  const system = nameIn(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
