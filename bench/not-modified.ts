import { compareRates } from './compare-rates.ts';
import { startService } from './contender.ts';
import { type DatabaseUrls, type Figure, urlOf } from './figures.ts';
import type { Request } from './load.ts';

/** Compares a page of issues that the client has already, answered with 304, with the same page in full. */
export async function compareNotModified(databases: DatabaseUrls, issues: number): Promise<Figure> {
  const target = 1.5;
  const request: Request = { method: 'GET', path: '/api/admin/issues?limit=100' };
  const service = await startService(urlOf(databases, issues));
  try {
    const { headers } = await fetch(service.url + request.path, { headers: service.headers });
    const etag = headers.get('etag');
    if (etag === null) throw new Error('The answer has no ETag.');
    // The client has the same work with both headers.
    const { subject, reference, ratio } = await compareRates(
      { ...service, headers: { ...service.headers, 'if-none-match': etag } },
      { ...service, headers: { ...service.headers, 'if-not-a-match': etag } },
      request,
    );
    return {
      name: 'page of 100 issues that is not modified, relative to the whole page',
      issues,
      service: `${subject.toFixed(0)}/s; whole: ${reference.toFixed(0)}/s`,
      baseline: '',
      result: ratio.toFixed(2),
      target: `≥ ${target}`,
      met: ratio >= target,
    };
  } finally {
    await service.stop();
  }
}
