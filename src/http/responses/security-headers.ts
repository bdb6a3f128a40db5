import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Sets helmet's headers. They never change, so helmet runs once, not per request. Headers that browsers accept only on
 * HTTPS, and warn about on HTTP, are sent only on HTTPS.
 */
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
