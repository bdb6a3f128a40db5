import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { connectDatabases, type Databases } from '../../../src/db/connection/connect.ts';
import type { RecordedFields } from '../../../src/db/tables/record-changes.ts';
import { localOperator } from '../../../src/services/call/actor.ts';
import { changesOf } from '../../../src/services/call/changes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { withClient } from '../../support/http/admin-client.ts';

let database: TestDatabase;
let databases: Databases;

beforeAll(async () => {
  database = await createTestDatabase();
  databases = connectDatabases({ databaseUrl: database.url });
});

afterAll(async () => {
  await databases?.close();
  await database?.drop();
});

/** Records a change, and reads what its record and its event tell. */
async function record(id: string, before: RecordedFields, after: RecordedFields) {
  const operation = { id: 'issues.changeStatus', changes: ['issue.updated'] } as const;
  await changesOf(
    databases.primary,
    localOperator('tests'),
    operation,
  )(async (_tx, touch) => touch({ event: 'issue.updated', id, before, after }));
  return await withClient(database.url, async (client) => {
    const { rows } = await client.query(
      'select before, after, data from audit_records join events using (id) where events.subject_id = $1',
      [id],
    );
    return rows;
  });
}

test('a long text is told by its first 200 characters, in the record and in the event', async () => {
  const title = (length: number) => ({ title: 'x'.repeat(length) });
  const cut = { title: `${'x'.repeat(200)}…` };
  expect(await record('long', title(1024 * 1024), title(201))).toEqual([
    { before: cut, after: cut, data: cut },
  ]);
});

test('a text of 200 characters is told whole, and no character is halved', async () => {
  const whole = { title: '🙂'.repeat(200) };
  expect(await record('emoji', whole, { title: `x${'🙂'.repeat(200)}` })).toMatchObject([
    { before: whole, after: { title: `x${'🙂'.repeat(199)}…` } },
  ]);
});

test('what is no text stays as it is', async () => {
  const told = { count: 7, is_set: true, none: null, ids: [1, 2] };
  expect(await record('others', told, told)).toEqual([{ before: told, after: told, data: told }]);
});

test('a call that was given up while it was at work changes nothing, and says why', async () => {
  const late = new AbortController();
  const operation = { id: 'issues.create', changes: ['issue.created'] } as const;
  const change = changesOf(databases.primary, localOperator('tests'), operation, { signal: late.signal });
  const work = change(async (tx, touch) => {
    const id = await tx.oneFirst(sql.type(z.object({ id: z.int() }))`
      insert into issues (title) values ('given up') returning id
    `);
    touch({ event: 'issue.created', id: String(id) });
    late.abort(new Error('too late'));
  });
  await expect(work).rejects.toThrow('too late');
  await expect(change(async () => expect.fail('it began'))).rejects.toThrow('too late');
  const left = await withClient(database.url, (client) =>
    client.query(`select from issues where title = 'given up'`),
  );
  expect(left.rowCount).toBe(0);
});
