import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { NextPage } from '../../services/streaming/streamed-json.ts';

/** Sets helmet's headers. They never change, so helmet runs once. Those for HTTPS are sent on HTTPS only. */
export const securityHeaders: RequestHandler = (req, res, next) => {
  res.setHeaders(req.secure ? onHttps : onHttp);
  next();
};

/** No page of the service is shown in a frame, and none sets the base of its links. */
const directives = { baseUri: ["'none'"], frameAncestors: ["'none'"] };
const frameguard = { action: 'deny' } as const;

const onHttps = headersOf(helmet({ contentSecurityPolicy: { directives }, frameguard }));
const onHttp = headersOf(
  helmet({
    // upgrade-insecure-requests would break the pages.
    contentSecurityPolicy: { directives: { ...directives, upgradeInsecureRequests: null } },
    frameguard,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    strictTransportSecurity: false,
  }),
);

function headersOf(middleware: ReturnType<typeof helmet>): Map<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, () => {});
  return new Map(response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]));
}

/** Returns a `Link` header to the next page, relative: behind a proxy, the client may see another path. */
export function nextLink(url: string, next: NextPage): string {
  const question = url.indexOf('?');
  const query = new URLSearchParams(question === -1 ? '' : url.slice(question));
  for (const [name, value] of Object.entries(next)) query.set(name, value);
  return `<?${query}>; rel="next"`;
}
