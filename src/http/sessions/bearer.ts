import type { Request } from 'express';

/** Returns the bearer token of a request, whether valid or not. */
export function bearerOf(req: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1];
}
