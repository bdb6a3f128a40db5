import { compareRates } from '../compare-rates.ts';
import type { Request } from '../load.ts';
import { startService } from '../servers/contender.ts';
import { atLeast, type Databases, type Figure, perSecond } from './figure.ts';

/** Compares a page of issues that the client has already, answered with 304, with the same page in full. */
export async function compareNotModified(databases: Databases, issues: number): Promise<Figure> {
  const request: Request = { method: 'GET', path: '/api/admin/issues?limit=100' };
  const service = await startService(await databases(issues));
  try {
    const { headers } = await fetch(service.url + request.path, { headers: service.headers });
    const etag = headers.get('etag');
    if (etag === null) throw new Error('The answer has no ETag.');
    const sending = (header: string) => ({ ...service, headers: { ...service.headers, [header]: etag } });
    // The client has the same work with both headers.
    const { subject, reference, ratio } = await compareRates(
      [sending('if-none-match'), request],
      [sending('if-not-a-match'), request],
    );
    return atLeast(1.5, ratio, {
      name: 'page of 100 issues that is not modified, relative to the whole page',
      issues,
      service: `${perSecond(subject)}; whole: ${perSecond(reference)}`,
      baseline: '',
    });
  } finally {
    await service.stop();
  }
}
