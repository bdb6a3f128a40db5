import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { createConversation, type Thread } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';
import { usedMemory } from '../../support/memory.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();

/** A length that just fits into a request. */
const longBytes = 900_000;
const issues = isSlowRun ? 301 : 61;
/** How many bytes to read between two measurements of memory, which are slow. Other tests in the process disturb them. */
const measureEveryBytes = isSlowRun ? (issues * longBytes) / 10 : Number.POSITIVE_INFINITY;

describe('issues of 0.9 MB', () => {
  beforeAll(async () => {
    // No search reads them.
    await backoffice.sql('alter table issues disable trigger issues_add_search');
    await backoffice.sql(
      `insert into issues (title, description) select n, repeat('x', $2) from generate_series(1, $1::int) n`,
      [issues, longBytes],
    );
  });

  /** Reads a response that is too long to be kept. Returns its length and end, and the growth of memory. */
  async function measure(query: string) {
    const { service, superadmin } = backoffice;
    const before = isSlowRun ? usedMemory() : 0;
    const headers = { cookie: superadmin.cookie };
    // `fetch` takes twice the time for the same bytes.
    const [response]: IncomingMessage[] = await once(
      get(`${service.url}/api/admin/issues${query}`, { agent: false, headers }),
      'response',
    );
    expect(response?.statusCode).toBe(200);
    let bytes = 0;
    let end = '';
    let memory = 0;
    let measuredAt = isSlowRun ? -measureEveryBytes : 0;
    for await (const piece of (response ?? []) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      end = (end + piece.subarray(-9)).slice(-9);
      if (bytes - measuredAt < measureEveryBytes) continue;
      measuredAt = bytes;
      memory = Math.max(memory, usedMemory() - before);
    }
    return { bytes, end, memory };
  }

  test('are sent as one page, and after many short ones as a whole list, without being held in memory', async () => {
    const page = await measure('?limit=1000');
    await backoffice.sql(
      `insert into issues (title, created_at) select 'short', now() + interval '1 day' from generate_series(1, 2500)`,
    );
    const whole = await measure('');
    expect(page.end).toMatch(/:null\}$/);
    expect(whole.end).toMatch(/\}\]\}$/);
    for (const { bytes, memory } of [page, whole]) {
      // Each long issue once: all else is shorter than one of them.
      expect(Math.floor(bytes / longBytes)).toBe(issues);
      expect(memory).toBeLessThan(issues * longBytes);
    }
  });
});

/** Reads a thread page by page. */
async function pagesOf(id: string, limit: number): Promise<Thread[]> {
  const pages: Thread[] = [];
  let cursor: string | null | undefined;
  do {
    const { client } = backoffice.superadmin;
    const input = { conversation_id: id, limit, ...(cursor ? { cursor } : {}) };
    const page: Thread = await client.call('messages.list', input);
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor);
  return pages;
}

describe('a thread of 30 messages of 0.9 MB, half of each in its draft,', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await createConversation(backoffice));
    await backoffice.sql(
      `insert into conversation_messages (conversation_id, sender_type, content, ai_draft, created_at)
       select $1, 'visitor', n || repeat('x', $2 / 2), repeat('y', $2 / 2), now() + n / 3 * interval '1 second'
       from generate_series(1, 30) n order by n`,
      [id, longBytes],
    );
  });

  test.for(isSlowRun ? [1000, 30, 9, 4, 1] : [1000, 4])(
    'has pages of about 8 MB, with each message once: limit %i',
    async (limit) => {
      const pages = await pagesOf(id, limit);
      const maxRows = Math.min(limit, 10);
      expect(pages.map(({ messages }) => messages.length)).toEqual(
        Array.from({ length: Math.ceil(30 / maxRows) }, (_, page) => Math.min(maxRows, 30 - page * maxRows)),
      );
      const numbers = pages
        .toReversed()
        .flatMap(({ messages }) => messages.map(({ content }) => parseInt(content, 10)));
      expect(numbers).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    },
  );
});

test('a thread lists the newest 100 of its linked issues', async () => {
  const { id } = await createConversation(backoffice, 'Hello?');
  await backoffice.sql(
    `with issue as (insert into issues (title) select 'Linked' from generate_series(1, 101) returning id)
     insert into issue_links (issue_id, conversation_id, created_at)
     select id, $1, now() + id * interval '1 second' from issue`,
    [id],
  );
  const [page] = await pagesOf(id, 1);
  const [linked] = await backoffice.sql<{ ids: number[] }>(
    `select array_agg(id::int order by id desc) as ids from issues where title = 'Linked'`,
  );
  expect(page?.issues.map((issue) => issue.id)).toEqual(linked?.ids.slice(0, 100));
});
