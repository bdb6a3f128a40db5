import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseHere } from '../../support/postgres.ts';
import { publishedIn, record, who } from './record.ts';

const own = databaseHere();
let one: Client;
let two: Client;
let publisher: Client;

interface Publication {
  readonly published: string;
  readonly is_complete: boolean;
  readonly snapshot: string;
}

async function publish(parameters = ''): Promise<Publication> {
  const { rows } = await publisher.query<Publication>(`select * from publish_changes(${parameters})`);
  expect(rows).toHaveLength(1);
  return rows[0] as Publication;
}

const published = () => publishedIn(own);

beforeAll(async () => {
  one = await own.connect();
  two = await own.connect();
  publisher = await own.connect();
});

beforeEach(() => own.sql('delete from events; delete from webhooks'));

describe('the order of publication', () => {
  test('is that of what was committed, also of a transaction that records before and commits after others', async () => {
    await one.query('begin');
    await record(one, ['late']);
    await record(two, ['early']);
    await publish();
    expect(await published()).toEqual(['early']);
    await one.query('commit');
    await publish();
    expect(await published()).toEqual(['early', 'late']);
  });

  test('keeps the changes of a transaction together and in order, after those that it came after', async () => {
    await one.query('begin');
    await record(one, ['a1']);
    await record(two, ['b1', 'b2']);
    await record(one, ['a2', 'a3']);
    await record(two, ['b3']);
    await one.query('commit');
    await publish();
    expect(await published()).toEqual(['b1', 'b2', 'a1', 'a2', 'a3', 'b3']);
  });

  test('gives an event and its audit record one id, and the time of the change', async () => {
    await record(one, ['timed']);
    await sleep(20);
    await publish();
    const { rows } = await one.query(`
      select events.created_at < clock_timestamp() - interval '20 ms' as earlier,
        audit_records.created_at = events.created_at::timestamptz(3) as same, actor_kind, actor_name, door, address
      from events join audit_records using (id) where events.subject_id = 'timed'
    `);
    expect(rows).toEqual([
      { earlier: true, same: true, actor_kind: 'operator', actor_name: 'tests', door: 'cli', address: '' },
    ]);
  });
});

describe('a batch', () => {
  test('has whole transactions, up to a number and a size of rows, and at least one', async () => {
    await record(one, ['1', '2']);
    await record(one, ['3', '4']);
    await record(one, ['5']);
    expect(await publish('null, 3')).toMatchObject({ published: '2', is_complete: false, snapshot: null });
    expect(await published()).toEqual(['1', '2']);
    expect(await publish('null, 100, 1')).toMatchObject({ published: '2', is_complete: false });
    expect(await publish('null, 100, 1')).toMatchObject({ published: '1', is_complete: true });
    expect(await published()).toEqual(['1', '2', '3', '4', '5']);
  });

  test('cuts a transaction that has more than four times as many rows', async () => {
    const subjects = Array.from({ length: 10 }, (_, index) => String(index));
    await record(one, subjects);
    expect(await publish('null, 2')).toMatchObject({ published: '8', is_complete: false });
    expect(await publish('null, 2')).toMatchObject({ published: '2', is_complete: true });
    expect(await published()).toEqual(subjects);
  });
});

test('a long backlog is sorted from its beginning only, in whole transactions and in order', async () => {
  await one.query('begin');
  await record(one, ['a1']);
  await record(two, ['b1', 'b2']);
  await record(two, ['c1']);
  await record(one, ['a2']);
  await one.query('commit');
  await record(two, ['d1']);
  // Of the first four rows, the transaction of b is the first one that is whole.
  await publish('null, 1, 100000, 3');
  expect(await published()).toEqual(['b1', 'b2']);
  // The first transaction is longer than what is sorted.
  await publish('null, 1, 100000, 1');
  await publish();
  expect(await published()).toEqual(['b1', 'b2', 'c1', 'a1', 'a2', 'd1']);
});

describe('a snapshot of the last call', () => {
  test('does not hide a transaction that ran when it was taken, nor one that starts later', async () => {
    await one.query('begin');
    await record(one, ['ran']);
    await two.query('begin');
    const { snapshot } = await publish();
    await record(two, ['started']);
    await two.query('commit');
    await one.query('commit');
    expect(await publish(`'${snapshot}'`)).toMatchObject({ published: '2' });
  });

  test('hides nothing of a restored backup, whose transactions are those of another server', async () => {
    await record(one, ['restored']);
    expect(await publish(`'900000000:900000000:'`)).toMatchObject({ published: '1' });
    const { snapshot } = await publish();
    await one.query(`
      insert into recorded_changes (transaction_id, id, origin, operation, event, subject_id)
      select number::text::xid8, -1, '${JSON.stringify(who)}', 'issues.create', 'issue.created', number
      from unnest(array[3, 900000000]) as number
    `);
    expect(await publish()).toMatchObject({ published: '2' });
    await record(one, ['after']);
    expect(await publish(`'${snapshot}'`)).toMatchObject({ published: '1' });
  });
});

test('rejects a transaction whose snapshot may be older than the last publication', async () => {
  await record(one, ['kept']);
  for (const level of ['repeatable read', 'serializable']) {
    await publisher.query(`begin isolation level ${level}`);
    await expect(publish()).rejects.toThrow('READ COMMITTED');
    await publisher.query('rollback');
  }
  expect(await publish()).toMatchObject({ published: '1' });
});

test.for([
  ['off', 'on'],
  ['local', 'on'],
  ['remote_apply', 'remote_apply'],
])(
  'what was read survives a crash of a server whose synchronous_commit is %s',
  async ([configured, used]) => {
    await record(one, ['safe']);
    await publisher.query(`begin; set local synchronous_commit = ${configured}`);
    await publish();
    expect((await publisher.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: used }]);
    await publisher.query('commit');
  },
);

describe('a change that could not be published', () => {
  test.for([
    ['an actor whose kind is null', { ...who, kind: null }, 'T'],
    ['a subject whose id fits into no index', who, randomBytes(1_400).toString('hex')],
    ['an actor that takes too long to move', { ...who, address: 'x'.repeat(1_100_000) }, 'T'],
    ['a row that takes too long to move', who, 'x'.repeat(1_100_000)],
  ] as const)('cannot be recorded: %s', async ([, origin, subject]) => {
    await expect(record(one, [subject], origin)).rejects.toThrow('violates check constraint');
  });

  test('is none with long and unusual values', async () => {
    const name = randomBytes(50_000).toString('hex');
    const subject = randomBytes(1_300).toString('hex');
    await record(one, [subject], { kind: name, id: name, name, door: name });
    await one.query(
      `insert into recorded_changes (origin, operation, event, before, after) values ($1, $2, $2, 'null', 'null')`,
      [who, name],
    );
    expect(await publish()).toMatchObject({ published: '2' });
    const rows = await own.sql('select type, subject_id, data from events order by id');
    expect(rows).toMatchObject([
      { subject_id: subject, data: { title: subject } },
      { type: name, subject_id: null, data: {} },
    ]);
  });
});
