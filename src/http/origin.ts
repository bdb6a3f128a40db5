import type { Request } from 'express';
import { BackofficeError } from '../contract/errors.ts';

export const otherOrigin = {
  code: 'forbidden',
  text: 'Requests from another origin are not allowed.',
} as const;

/**
 * Refuses a change that a page of another origin asks a signed-in browser for. Browsers say where a request comes
 * from (https://www.w3.org/TR/fetch-metadata/; older ones by `Origin`), other programs say nothing and pass.
 *
 * @throws BackofficeError `forbidden`
 */
export function refuseOtherOrigins(req: Request): void {
  if (req.method === 'GET') return;
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new BackofficeError(otherOrigin);
    return;
  }
  const { origin } = req.headers;
  if (origin !== undefined && URL.parse(origin)?.host !== req.host) throw new BackofficeError(otherOrigin);
}
