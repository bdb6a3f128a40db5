import type { RequestListener } from 'node:http';
import type { Log } from '../services/call/log.ts';

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'];

const message =
  'a request came through a proxy, but TRUST_PROXY is 0, so every client has the address of the proxy: ' +
  'set TRUST_PROXY to the number of proxies in front';

/** Returns a handler that warns once if a request has headers of a proxy, which the service does not trust. */
export function warnOfProxy(handle: RequestListener, log: Log): RequestListener {
  let isWarned = false;
  return (req, res) => {
    if (!isWarned) {
      const header = forwardingHeaders.find((name) => req.headers[name] !== undefined);
      isWarned = header !== undefined;
      if (isWarned) log.warn({ header, address: req.socket.remoteAddress }, message);
    }
    handle(req, res);
  };
}
