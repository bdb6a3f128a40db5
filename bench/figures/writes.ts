import { compareEqualServers, compareRates } from '../compare-rates.ts';
import { withConnection } from '../database/postgres.ts';
import { type Request, uniqueText } from '../load.ts';
import { startBaseline, startService, withContenders } from '../servers/contender.ts';
import { atLeast, type Databases, type Figure, perSecond, ratesOf } from './figure.ts';

const writers = 32;

export const newIssue: Request = {
  method: 'POST',
  path: '/api/admin/issues',
  body: JSON.stringify({
    title: 'Checkout button does nothing',
    category: 'Payments',
    severity: 'High',
    description: 'Nothing happens when the button is pressed, in any browser that we tried.',
    steps_to_reproduce: '1. Fill the cart\n2. Press Checkout',
  }),
  connections: writers,
};

/** Compares creating an issue with its bare insert, by many writers. */
export async function compareNewIssue(databases: Databases, issues: number, disk = ''): Promise<Figure> {
  const url = await databases(issues);
  const servers = [startService(url), startBaseline(url)] as const;
  return await withContenders(servers, async (service, baseline) => {
    const comparison = await compareEqualServers(service, baseline, newIssue);
    const name = `new issue by ${writers} writers${disk}`;
    return atLeast(0.6, comparison.ratio, { name, issues, ...ratesOf(comparison) });
  });
}

/** Compares the bare insert of an issue with one that writes an event and an audit record too: the cost of the trail. */
export async function compareTrail(databases: Databases, issues: number, disk = ''): Promise<Figure> {
  const url = await databases(issues);
  const servers = [startBaseline(url, { trail: true }), startBaseline(url)] as const;
  return await withContenders(servers, async (withTrail, bare) => {
    const comparison = await compareEqualServers(withTrail, bare, newIssue);
    await publishAll(url);
    const name = `the baseline with an event and an audit record, by ${writers} writers${disk}`;
    const row = atLeast(0, comparison.ratio, { name, issues, ...ratesOf(comparison) });
    return { ...row, target: '–' };
  });
}

/** Publishes what the baseline has recorded, which the next service would otherwise do under measurement. */
async function publishAll(url: string): Promise<void> {
  await withConnection(url, async (client) => {
    const publish = () => client.query<{ is_complete: boolean }>('select is_complete from publish_changes()');
    while (!(await publish()).rows[0]?.is_complete);
  });
}

/** Compares creating an issue with an `Idempotency-Key` and without one, on the same server. */
export async function compareKeyedIssue(databases: Databases, issues: number): Promise<Figure> {
  const service = await startService(await databases(issues));
  try {
    const sending = (header: string) => ({
      ...service,
      headers: { ...service.headers, [header]: uniqueText },
    });
    // Both send a header of the same length, which costs the client the same.
    const { subject, reference, ratio } = await compareRates(
      [sending('idempotency-key'), newIssue],
      [sending('not-idempotency'), newIssue],
    );
    return atLeast(0.25, ratio, {
      name: 'new issue with an Idempotency-Key, relative to one without',
      issues,
      service: `${perSecond(subject)}; without: ${perSecond(reference)}`,
      baseline: '',
    });
  } finally {
    await service.stop();
  }
}
