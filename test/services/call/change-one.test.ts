import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackofficeError } from '../../../src/contract/errors.ts';
import { connectDatabases, type Databases } from '../../../src/db/connection/connect.ts';
import { defaultDatabaseTimeouts } from '../../../src/db/connection/pool.ts';
import { insertComment } from '../../../src/db/tables/comments.ts';
import { insertIssues, updateIssueStatus } from '../../../src/db/tables/issues.ts';
import { deleteSavedReplyRow } from '../../../src/db/tables/saved-replies.ts';
import { localOperator } from '../../../src/services/call/actor.ts';
import { type ChangeOne, changeOneOf } from '../../../src/services/call/change-one.ts';
import { changesIn } from '../../../src/services/call/changes.ts';
import { insertOneBy } from '../../../src/services/call/insert-one.ts';
import type { CallOfChange } from '../../../src/services/call/recording.ts';
import { refuse } from '../../../src/services/call/refuse.ts';
import { untilBlocked } from '../../support/database/blocked-statements.ts';
import { withClient } from '../../support/database/client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { openQueryTap, type QueryTap } from '../../support/database/query-tap.ts';

/** Statements wait for the locks of these tests, also on a busy machine. */
const timeouts = { ...defaultDatabaseTimeouts, lockMs: 0 };

let database: TestDatabase;
let tap: QueryTap;
let databases: Databases;
let recordedChanges = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  tap = await openQueryTap(database.url);
  const onRecorded = () => {
    recordedChanges++;
  };
  databases = connectDatabases({ databaseUrl: tap.url, onRecorded, timeouts });
});

afterAll(async () => {
  await databases?.close();
  await tap?.close();
  await database?.drop();
});

const operator = localOperator('tests');
const operation = {
  id: 'issues.create',
  changes: ['issue.created', 'issue.updated', 'comment.created', 'saved_reply.deleted'],
} as const;

const changeOne = (call: CallOfChange = {}): ChangeOne =>
  changeOneOf(databases.primary, operator, operation, call);

async function query(text: string, values: unknown[] = []) {
  return await withClient(database.url, async (client) => (await client.query(text, values)).rows);
}

const issueOf = (title: string) =>
  ({ title, category: 'Other', severity: 'Low', description: '', steps_to_reproduce: '' }) as const;
const created = (title: string) =>
  ({
    event: 'issue.created',
    after: { title, category: 'Other', severity: 'Low', status: 'Open' },
  }) as const;

/** Creates an issue with the given `changeOne`. */
async function create(one: ChangeOne, title: string): Promise<number> {
  return await insertOneBy(one)(created(title), issueOf(title), insertIssues);
}

async function changeStatus(one: ChangeOne, id: number | null, status: 'Open' | 'Closed' | 'Resolved') {
  await one({ event: 'issue.updated', after: { status } }, (db, record) =>
    updateIssueStatus(db, { id, status, author: operator }, record),
  );
}

/** Returns the audit records of an issue with the data of their events, oldest first. */
async function recordsOf(id: number | null) {
  return await query(
    `select before, after, event, operation, actor_kind, actor_name, door, address, data
     from audit_records join events using (id) where events.subject_id = $1 order by id`,
    [String(id)],
  );
}

describe('a change of one row', () => {
  test('is one statement, which records who made it', async () => {
    await create(changeOne(), 'warms the connection');
    tap.reset();
    const id = await create(changeOne({ address: '192.0.2.1' }), 'one statement');
    expect(tap.statements).toHaveLength(1);
    const { kind, name, door } = operator;
    const { after } = created('one statement');
    expect(await recordsOf(id)).toEqual([
      {
        before: null,
        after,
        event: 'issue.created',
        operation: 'issues.create',
        actor_kind: kind,
        actor_name: name,
        door,
        address: '192.0.2.1',
        data: after,
      },
    ]);
  });

  test('wakes who publishes', async () => {
    const before = recordedChanges;
    await create(changeOne(), 'wakes');
    expect(recordedChanges).toBe(before + 1);
  });

  test('records what the row was before, which only the statement knows', async () => {
    const id = await create(changeOne(), 'before');
    await changeStatus(changeOne(), id, 'Closed');
    expect(await recordsOf(id)).toMatchObject([
      { before: null },
      { before: { status: 'Open' }, after: { status: 'Closed' } },
    ]);
  });

  test('records nothing if the row stays as it is or does not exist', async () => {
    const id = await create(changeOne(), 'unchanged');
    await changeStatus(changeOne(), id, 'Open');
    await changeStatus(changeOne(), null, 'Closed');
    await changeStatus(changeOne(), 999_999_999, 'Closed');
    expect(await recordsOf(id)).toHaveLength(1);
    expect(await recordsOf(999_999_999)).toEqual([]);
    expect(await query('select from issue_history where issue_id = $1', [id])).toEqual([]);
  });

  test('cuts the texts of a deleted row as those of other changes', async () => {
    const long = 'é🙂'.repeat(120);
    const [{ id }] = await query(
      `insert into saved_replies (shortcut, title, content) values ('cut', $1, $2) returning id::int`,
      [long.slice(0, 3 * 66), long],
    );
    await changeOne()({ event: 'saved_reply.deleted' }, (db, record) => deleteSavedReplyRow(db, id, record));
    const before = {
      shortcut: 'cut',
      title: long.slice(0, 3 * 66),
      content: `${[...long].slice(0, 200).join('')}…`,
    };
    expect((await recordsOf(id)).at(-1)).toMatchObject({ before, after: null, data: before });
  });
});

describe('a refused change', () => {
  const unknown = { code: 'not_found', text: 'There is no such issue.' } as const;
  const comment = (one: ChangeOne) =>
    one(
      { event: 'comment.created', after: { issue_id: 1e9, conversation_id: null, content: 'x' } },
      async (db, record) => {
        const subject = { issue_id: 1e9, conversation_id: null };
        const author = { kind: 'operator', id: null, name: 'tests', username: null };
        return (await insertComment(db, subject, { author, content: 'x' }, record)) ?? refuse(unknown);
      },
    );

  test('records nothing, wakes nobody, and keeps the connection', async () => {
    const single = connectDatabases({ databaseUrl: tap.url, poolSize: 1 });
    const one = changeOneOf(single.primary, operator, operation);
    await create(one, 'warms the connection');
    tap.reset();
    const before = recordedChanges;
    for (let refused = 0; refused < 3; refused++) {
      await expect(comment(one)).rejects.toThrow(new BackofficeError(unknown));
    }
    expect(tap.statements.filter((text) => text.includes('pg_type'))).toEqual([]);
    expect(recordedChanges).toBe(before);
    expect(await query(`select from audit_records where event = 'comment.created'`)).toEqual([]);
    await single.close();
  });
});

test.for<[string, object, string]>([
  [
    'an event that the operation does not declare',
    { event: 'webhook.replayed', after: { messages: 1 } },
    'issues.create does not declare webhook.replayed.',
  ],
  [
    'data that does not match the schema of the event',
    { event: 'issue.created', after: { title: 'x' } },
    'The data of issue.created does not match its schema',
  ],
])('refuses %s, before the statement runs', async ([_case, row, message]) => {
  const one = changeOne() as (row: object, work: () => Promise<void>) => Promise<void>;
  await expect(one(row, async () => expect.fail('it started'))).rejects.toThrow(message);
});

describe('a call whose caller has received a timeout error', () => {
  const isUnchanged = async (id: number) => {
    const [issue] = await query('select status from issues where id = $1', [id]);
    expect(issue).toEqual({ status: 'Open' });
    expect(await recordsOf(id)).toHaveLength(1);
  };

  test('changes nothing if it has not started', async () => {
    const id = await create(changeOne(), 'too late to start');
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(changeStatus(changeOne({ signal }), id, 'Closed')).rejects.toThrow('too late');
    await isUnchanged(id);
  });

  test('changes nothing if its statement waited until then', async () => {
    const id = await create(changeOne(), 'too late to end');
    await withClient(database.url, async (client) => {
      await client.query('begin');
      await client.query('select from issues where id = $1 for update', [id]);
      const late = new AbortController();
      // Less than the statement may take.
      const work = changeStatus(changeOne({ signal: late.signal, timeLeftMs: () => 8_000 }), id, 'Closed');
      const settled = expect(work).rejects.toThrow('too late');
      await untilBlocked({ sql: query });
      late.abort(new Error('too late'));
      await client.query('commit');
      await settled;
    });
    await isUnchanged(id);
  });

  test('is not to be feared if the statement ends before: it needs no transaction', async () => {
    const { signal } = new AbortController();
    tap.reset();
    await create(changeOne({ signal, timeLeftMs: () => 9_500 }), 'in time');
    expect(tap.statements).toHaveLength(1);
    tap.reset();
    await create(changeOne({ signal }), 'at any time');
    expect(tap.statements).toEqual(['START TRANSACTION', expect.anything(), 'COMMIT']);
  });
});

test('a call that has one transaction for everything changes and records in it', async () => {
  await databases.primary
    .transaction(async (tx) => {
      const changes = changesIn(tx, operator, operation);
      await create(changes.changeOne, 'rolled back');
      throw new Error('rolled back');
    })
    .catch(() => {});
  const id = await databases.primary.transaction(async (tx) => {
    const changes = changesIn(tx, operator, operation);
    const issueId = await create(changes.changeOne, 'in a transaction');
    await changes.change(async (_savepoint, touch, changeOneIn) => {
      await changeStatus(changeOneIn, issueId, 'Closed');
      touch({
        event: 'issue.updated',
        id: issueId,
        before: { status: 'Closed' },
        after: { status: 'Resolved' },
      });
    });
    return issueId;
  });
  expect(await query(`select from issues where title = 'rolled back'`)).toEqual([]);
  expect(await query(`select from events where data ->> 'title' = 'rolled back'`)).toEqual([]);
  expect((await recordsOf(id)).map(({ after }) => after.status)).toEqual(['Open', 'Closed', 'Resolved']);
});

test('parallel changes of one row are recorded in their order, each with what the row was', async () => {
  const id = await create(changeOne(), 'contended');
  const statuses = ['Closed', 'Resolved', 'Open'] as const;
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => changeStatus(changeOne(), id, statuses[n % 3] ?? 'Open')),
  );
  const changes = (await recordsOf(id)).slice(1).map(({ before, after }) => [before.status, after.status]);
  const history = await query('select before, after from issue_history where issue_id = $1 order by id', [
    id,
  ]);
  const [issue] = await query('select status from issues where id = $1', [id]);

  expect(changes.length).toBeGreaterThan(1);
  expect(changes.map(([before]) => before)).toEqual([
    'Open',
    ...changes.slice(0, -1).map(([, after]) => after),
  ]);
  expect(changes.at(-1)?.[1]).toBe(issue.status);
  expect(history.map(({ before, after }) => [before, after])).toEqual(changes);
});
