import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { isPlainPath } from '../../environment.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The path before those of the service, as the client sees it. */
    prefix?: string;
  }
}

/** A longer one is nobody's path. */
const maxLength = 200;

/** Returns the path before those of the service, as the client of a request sees it. The empty string is none. */
export function prefixOf({ prefix = '' }: IncomingMessage): string {
  return prefix;
}

/**
 * Serves the app under a path. A proxy may remove the path or leave it, so a request may come with or without it.
 * `X-Forwarded-Prefix` says what trusted proxies have removed, and takes precedence over the configuration.
 */
export function serveUnder(basePath: string, trustProxy: number): RequestHandler {
  return (req, _res, next) => {
    req.url = withoutBase(req.url, basePath);
    req.prefix = forwardedPrefix(req.headers['x-forwarded-prefix'], trustProxy) ?? basePath;
    next();
  };
}

function withoutBase(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url;
}

/**
 * Returns what trusted proxies have removed, or undefined if they say nothing, or no path. Each proxy adds its part at the
 * end, so parts further in front are a client's.
 */
function forwardedPrefix(header: string | string[] | undefined, trustProxy: number): string | undefined {
  if (header === undefined || trustProxy === 0) return undefined;
  const parts = String(header).split(',').slice(-trustProxy);
  const prefix = parts.map((part) => part.trim().replace(/\/+$/, '')).join('');
  return prefix === '' || (prefix.length <= maxLength && isPlainPath(prefix)) ? prefix : undefined;
}
