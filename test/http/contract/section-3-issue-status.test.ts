import { describe, expect, test } from 'vitest';
import { success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const statuses = ['Open', 'In Progress', 'Resolved', 'Closed'];

interface Row {
  id: string;
  status: string;
  refreshed: boolean;
}

/** Creates an issue with that status, last updated a day ago. */
async function insertIssue(status: string): Promise<number> {
  const [row] = await backoffice.sql<Row>(
    `insert into issues (title, status, created_at, updated_at)
     values ('Yesterday', $1, now() - interval '1 day', now() - interval '1 day') returning id`,
    [status],
  );
  return Number(row?.id);
}

function readIssue(id: number): Promise<Row[]> {
  return backoffice.sql<Row>(
    "select status, updated_at > now() - interval '1 minute' as refreshed from issues where id = $1",
    [id],
  );
}

describe('section 3: any status may be set from any other', () => {
  const transitions = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));

  test.for(transitions)('%s -> %s refreshes updated_at', async ([from, to]) => {
    const id = await insertIssue(from);
    expect(await backoffice.api.put('/issues', { id, status: to })).toEqual(success);
    expect(await readIssue(id)).toEqual([{ status: to, refreshed: true }]);
  });
});

test('section 3: only the issue with that id changes', async () => {
  const [id, other] = [await insertIssue('Open'), await insertIssue('Open')];
  await backoffice.api.put('/issues', { id, status: 'Closed' });
  expect(await readIssue(other)).toEqual([{ status: 'Open', refreshed: false }]);
});

test.for(statuses)('section 3: an unknown id succeeds and creates no issue (%s)', async (status) => {
  expect(await backoffice.api.put('/issues', { id: 2_000_000_000, status })).toEqual(success);
  expect(await backoffice.sql('select from issues where id = 2000000000')).toEqual([]);
});

test('section 4.3: a status change leaves the other fields of the issue unchanged', async () => {
  const id = await insertIssue('Open');
  await backoffice.api.put('/issues', { id, status: 'Closed', title: 'Changed', severity: 'High' });
  expect(await backoffice.sql('select title, severity from issues where id = $1', [id])).toEqual([
    { title: 'Yesterday', severity: 'Low' },
  ]);
});
