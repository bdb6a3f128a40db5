import type { RequestListener } from 'node:http';
import type { Request } from 'express';
import { currentTracer } from '../shared/tracing.ts';

/** Returns a handler that makes a span of each request, named after its operation. A `traceparent` header is its parent. */
export function traceRequests(handle: RequestListener): RequestListener {
  return (req, res) => {
    const tracer = currentTracer();
    if (tracer === undefined) return handle(req, res);
    const { method = '', headers } = req;
    const { traceparent } = headers;
    const options = {
      name: method,
      kind: 'server',
      attributes: { 'http.request.method': method },
    } as const;
    tracer.start(options, typeof traceparent === 'string' ? traceparent : undefined, (span) => {
      res.once('close', () => {
        const { operation } = req as Partial<Request>;
        const { statusCode, headersSent } = res;
        if (operation !== undefined) {
          span.rename(operation);
          span.set({ 'backoffice.operation': operation });
        }
        if (headersSent) span.set({ 'http.response.status_code': statusCode });
        if (headersSent && statusCode >= 500) span.fail();
        span.end();
      });
      handle(req, res);
    });
  };
}
