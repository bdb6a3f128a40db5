import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { BackofficeError, type DocumentedError, invalid } from '../../contract/errors.ts';
import { sendError } from '../responses/send.ts';

const wrongTarget = invalid('The request target must be a path, or an http URL without a user name.');
const missingHost = invalid('The request must have a Host header.');
const severalHosts = invalid('The request must have only one Host header.');
const wrongHost = invalid('The Host header must be a host name with an optional port.');
const unknownExpectation: DocumentedError = {
  code: 'expectation_failed',
  text: 'The only expectation that this service meets is 100-continue.',
};

const host = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(:\d*)?$/i;

/** The requests whose target is neither a path nor an acceptable URL. */
const wrongTargets = new WeakSet<IncomingMessage>();

/**
 * Replaces a target that is a whole URL, as proxies send it, with its path. The URL's host takes the place of the `Host`
 * header (RFC 9112, 3.2.2). A user name or password in it must not get into the log.
 */
export function useOriginForm(req: IncomingMessage): void {
  const target = req.url ?? '';
  if (target.startsWith('/') || target === '*') return;
  const url = URL.parse(target);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isHttp || url.username !== '' || url.password !== '') {
    wrongTargets.add(req);
    req.url = '/';
    return;
  }
  req.url = url.pathname + url.search;
  if (req.headers.host !== undefined) req.headers.host = url.host;
}

/** Rejects a request whose head breaks the rules of HTTP that Node does not check (RFC 9112, 3.2; RFC 9110, 10.1.1). */
export const checkRequestHead: RequestHandler = (req, res, next) => {
  const error = problemOf(req);
  if (error === undefined) return next();
  // The sender may disagree with the service about where the next request starts.
  res.setHeader('Connection', 'close');
  sendError(res, new BackofficeError(error));
};

function problemOf(req: IncomingMessage): DocumentedError | undefined {
  if (wrongTargets.has(req)) return wrongTarget;
  const hosts = req.headersDistinct.host?.length ?? 0;
  if (hosts > 1) return severalHosts;
  if (hosts === 0 && req.httpVersion === '1.1') return missingHost;
  if (!host.test(req.headers.host ?? '')) return wrongHost;
  const { expect } = req.headers;
  return expect === undefined || /^100-continue$/i.test(expect) ? undefined : unknownExpectation;
}
