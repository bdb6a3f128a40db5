import { sql } from 'slonik';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Position } from '../../../src/contract/schemas/lists.ts';
import type { ListQuery } from '../../../src/db/lists/list-query.ts';
import { type ListStart, readList } from '../../../src/db/lists/read-list.ts';
import { conversationList } from '../../../src/db/tables/conversations/conversation-list.ts';
import { issueList } from '../../../src/db/tables/issues.ts';
import { databaseHere } from '../../support/postgres.ts';

/** The pool has a single connection: a query would wait forever if the list kept it. */
const database = databaseHere(1);

/** Two of three rows have 300 kB, the third is short: a chunk of 2 MB has about nine rows. */
const rows = 30;

beforeEach(async () => {
  await database.client.query(`
    truncate issues, conversations cascade;
    insert into issues (id, title, description, created_at)
    select n, 'Issue', repeat('x', case when n % 3 = 0 then 5 else 300000 end), timestamptz '2026-03-01Z' - n / 2 * interval '1 second'
    from generate_series(1, ${rows}) n;
    insert into conversations (id, visitor_name, visitor_email) select 'conv_' || n, 'V', '' from generate_series(1, ${rows}) n;
    insert into conversation_messages (conversation_id, sender_type, content)
    select 'conv_' || n, 'visitor', repeat('x', case when n % 3 = 0 then 5 else 300000 end) from generate_series(1, ${rows}) n;
    update conversations set updated_at = timestamptz '2026-03-01Z' - substr(id, 6)::int / 2 * interval '1 second'
  `);
});

interface Read {
  readonly id: string | number;
  readonly subject?: string;
  readonly description?: string;
}

/** Reads a list that must not need the semaphore. Calls `between` after each chunk. */
async function read(
  query: ListQuery,
  limit: number | undefined,
  between?: (first: boolean) => Promise<void>,
) {
  const chunks: Read[][] = [];
  async function take(texts: readonly string[]): Promise<boolean> {
    chunks.push(JSON.parse(`[${texts.join()}]`));
    await between?.(chunks.length === 1);
    return true;
  }
  const readLong = () => Promise.reject(new Error('These lists are short.'));
  let next: Position | null = null;
  const onStart = (start: ListStart) => {
    next = start.next;
  };
  await readList(database.pool, query, limit, take, { readLong, onStart });
  return { chunks, list: chunks.flat(), next: next as Position | null };
}

const idsOf = (list: readonly Read[]) => list.map(({ id }) => id);

/** Returns the ids in the order of the lists. Two rows share each time, and the greater id is first. */
async function idsInOrder(table: 'issues' | 'conversations', time: string): Promise<(string | number)[]> {
  const { rows: found } = await database.client.query(
    `select ${table === 'issues' ? 'id::int' : 'id'} from ${table} order by ${time} desc, ${table}.id desc`,
  );
  return found.map(({ id }) => id);
}

describe.for([
  ['issues', 'created_at', issueList({})],
  ['conversations', 'updated_at', conversationList({})],
] as const)('%s, long and short,', ([table, time, query]) => {
  test('are read in order and in chunks, without keeping a connection', async () => {
    const { chunks, list, next } = await read(query, undefined, async () => {
      await database.pool.query(sql.unsafe`select 1`);
    });
    expect(idsOf(list)).toEqual(await idsInOrder(table, time));
    expect(chunks.length).toBeGreaterThan(2);
    expect(Math.max(...chunks.map((chunk) => JSON.stringify(chunk).length))).toBeLessThan(2.5 * 1024 * 1024);
    expect(next).toBeNull();
  });

  test('are not read further after the reader has disconnected', async () => {
    let taken = 0;
    const take = async () => ++taken < 2;
    await readList(database.pool, query, 20, take, { readLong: () => Promise.reject() });
    expect(taken).toBe(2);
  });
});

test('a row that moves during the read appears once with its new values, and a deleted row is left out', async () => {
  const ids = await idsInOrder('conversations', 'updated_at');
  const [moved, gone] = ['conv_29', 'conv_28'];
  const { list } = await read(conversationList({ status: ['open'] }), 1_000, async (first) => {
    if (!first) return;
    await database.client.query(
      `update conversations set subject = 'Moved', status = 'closed', updated_at = now() where id = $1`,
      [moved],
    );
    await database.client.query('delete from conversations where id = $1', [gone]);
  });
  expect(idsOf(list)).toEqual(ids.filter((id) => id !== gone));
  expect(list.find(({ id }) => id === moved)?.subject).toBe('Moved');
});
