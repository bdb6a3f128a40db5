import { setTimeout as pause } from 'node:timers/promises';
import { compareRates } from '../compare-rates.ts';
import { withConnection } from '../database/postgres.ts';
import { checkSameAnswer, type Request } from '../load.ts';
import { startBaseline, startService, withContenders } from '../servers/contender.ts';
import { atLeast, type Databases, type Figure, ratesOf } from './figure.ts';
import { issuesPage, wholeList } from './reads.ts';

const changesPerSecond = 100;

const changeOne = `
  update issues set severity = case severity when 'Low' then 'Medium' else 'Low' end
  where id = (select max(id) from issues)
`;

/**
 * Compares a page of issues while issues change. The service remembers the lists that have not changed, so this is what
 * a page costs that it must read.
 */
export async function compareChangingPage(databases: Databases, issues: number): Promise<Figure> {
  return await compareChanging('page of 50 issues', databases, issues, issuesPage, 0.65);
}

/** Compares the short list while issues change. */
export async function compareChangingList(databases: Databases, issues: number): Promise<Figure> {
  return await compareChanging('list of 1,000 issues', databases, issues, wholeList, 1.5);
}

async function compareChanging(
  name: string,
  databases: Databases,
  issues: number,
  request: Request,
  target: number,
): Promise<Figure> {
  const url = await databases(issues);
  return await withContenders([startService(url), startBaseline(url)], async (service, baseline) => {
    await checkSameAnswer(service, baseline, request);
    const comparison = await whileIssuesChange(url, () =>
      compareRates([service, request], [baseline, request]),
    );
    const row = { name: `${name} with ${changesPerSecond} changes of issues per second`, issues };
    return atLeast(target, comparison.ratio, { ...row, ...ratesOf(comparison) });
  });
}

async function whileIssuesChange<T>(url: string, use: () => Promise<T>): Promise<T> {
  const used = new AbortController();
  const changing = withConnection(url, async (client) => {
    while (!used.signal.aborted) {
      await client.query(changeOne);
      await pause(1_000 / changesPerSecond);
    }
  });
  try {
    return await use();
  } finally {
    used.abort();
    await changing;
  }
}
