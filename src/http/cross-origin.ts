import type { Request } from 'express';
import { BackofficeError } from '../contract/errors.ts';
import { bearerOf } from './sessions/bearer.ts';

export const crossOriginError = {
  code: 'forbidden',
  text: 'Requests from another origin are not allowed.',
} as const;

/**
 * Rejects a change that a page of another origin sends through a signed-in browser. Browsers name the source of a
 * request in `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/), older ones in `Origin`. Other programs send
 * neither header and pass. So does a request with a token, which no browser sends by itself.
 *
 * @param allowed - the other origins whose pages may make changes
 * @throws BackofficeError `forbidden`
 */
export function rejectCrossOrigin(req: Request, allowed: ReadonlySet<string>): void {
  if (req.method === 'GET' || req.method === 'HEAD' || bearerOf(req) !== undefined) return;
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (origin !== undefined && allowed.has(origin)) return;
  const isOwn =
    site === undefined
      ? origin === undefined || URL.parse(origin)?.host === req.host
      : site === 'same-origin' || site === 'none';
  if (!isOwn) throw new BackofficeError(crossOriginError);
}
