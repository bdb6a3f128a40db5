import { setTimeout as pause } from 'node:timers/promises';
import { withConnection } from '../database/postgres.ts';
import type { Databases, Figure } from './figure.ts';
import { compareReads, issuesPage } from './reads.ts';

const changesPerSecond = 100;
const withChanges = `with ${changesPerSecond} changes of issues per second`;

const changeOne = `
  update issues set severity = case severity when 'Low' then 'Medium' else 'Low' end
  where id = (select max(id) from issues)
`;

/**
 * Compares a page of issues while issues change. The service remembers the lists that have not changed, so this is what
 * a page costs that it must read.
 */
export async function compareChangingPage(databases: Databases, issues: number): Promise<Figure> {
  const name = `page of 50 issues ${withChanges}`;
  return await compareReads(
    { name, request: issuesPage, target: 0.65 },
    databases,
    issues,
    whileIssuesChange,
  );
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
