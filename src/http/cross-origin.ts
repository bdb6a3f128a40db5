import type { Request } from 'express';
import { BackofficeError } from '../contract/errors.ts';

export const crossOriginError = {
  code: 'forbidden',
  text: 'Requests from another origin are not allowed.',
} as const;

/**
 * Rejects a change that a page of another origin sends through a signed-in browser. Browsers name the source of a
 * request in `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/), older ones in `Origin`. Other programs send
 * neither header and pass.
 *
 * @throws BackofficeError `forbidden`
 */
export function rejectCrossOrigin(req: Request): void {
  if (req.method === 'GET' || req.method === 'HEAD') return;
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new BackofficeError(crossOriginError);
    return;
  }
  const { origin } = req.headers;
  if (origin !== undefined && URL.parse(origin)?.host !== req.host) {
    throw new BackofficeError(crossOriginError);
  }
}
