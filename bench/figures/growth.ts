import { copyDatabase, rare } from '../database/fill.ts';
import { withConnection } from '../database/postgres.ts';
import type { Request } from '../load.ts';
import { atMost, compareCosts, type Databases, type Figure, perSecond, sizes } from './figure.ts';
import { aggregate } from './reads.ts';

const [small, , large] = sizes;

const list = (path: string, query: Record<string, string>): Request => ({
  method: 'GET',
  path: `/api/admin/${path}?${new URLSearchParams({ limit: '50', ...query })}`,
});

/** Requests that find one row in any database. */
const rareRows: Readonly<Record<string, Request>> = {
  // Its words in another order, with an accent.
  'search for a rare word': list('issues', { q: 'zébra cross' }),
  'issues of a rare category': list('issues', { category: rare.category }),
  'conversations with a rare status': list('conversations', { status: rare.conversationStatus }),
  'audit records of a rare actor': list('audit', { actor: rare.actor }),
  'audit records with a rare event': list('audit', { event: rare.event }),
  'search for a rare word in the audit trail': list('audit', { q: rare.actor }),
};

/** The names of the requests for `compareRareRows`. */
export const rareNames = Object.keys(rareRows);

/** Compares the cost of finding one row among the most rows with its cost among the fewest. */
export async function compareRareRows(databases: Databases, name: string): Promise<Figure> {
  const request = rareRows[name];
  if (request === undefined) throw new Error(`There is no request for ${name}.`);
  return await compareGrowth(databases, name, request);
}

/** Compares the cost of the aggregate on the most issues with its cost on the fewest. */
export async function compareAggregateGrowth(databases: Databases): Promise<Figure> {
  return await compareGrowth(databases, 'aggregate', aggregate);
}

async function compareGrowth(databases: Databases, name: string, request: Request): Promise<Figure> {
  const urls = [await databases(large), await databases(small)] as const;
  const { subject, reference, growth } = await compareCosts(request, urls);
  return atMost(2, growth, {
    name: `${name}, cost relative to ${small.toLocaleString('en')} issues`,
    issues: large,
    service: `${perSecond(subject)}; ${small.toLocaleString('en')} issues: ${perSecond(reference)}`,
    baseline: '',
  });
}

const recentIssues = 20_000;

/**
 * Compares the cost of the aggregate with many new issues with its cost before they are added. Run it last, because it
 * adds issues.
 */
export async function compareBusyAggregate(databases: Databases, issues: number): Promise<Figure> {
  const url = await databases(issues);
  const cleanUrl = await copyDatabase(url, 'clean');
  await withConnection(url, async (client) => {
    await client.query(
      `insert into issues (title, category, severity, created_at)
       select 'Page ' || n || ' does not load', 'Payments', 'High', now() - interval '30 minutes' * random()
       from generate_series(1, $1::integer) as n`,
      [recentIssues],
    );
    await client.query('vacuum analyze issues');
  });
  const { subject, reference, growth } = await compareCosts(aggregate, [url, cleanUrl]);
  return atMost(1.3, growth, {
    name: `aggregate with ${recentIssues.toLocaleString('en')} issues more in the last half hour, cost relative to without them`,
    issues,
    service: `${perSecond(subject)}; without: ${perSecond(reference)}`,
    baseline: '',
  });
}
