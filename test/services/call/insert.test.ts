import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Pool } from '../../../src/db/connection/database.ts';
import { defaultTimeouts } from '../../../src/db/connection/driver.ts';
import { localOperator } from '../../../src/services/call/actor.ts';
import type { CallOfChange } from '../../../src/services/call/changes.ts';
import { checkExpected } from '../../../src/services/call/expected.ts';
import { type InsertIssueOf, insertInBatches } from '../../../src/services/call/insert.ts';
import { classes } from '../../../src/services/load/classes.ts';
import { Limiter, type Limits } from '../../../src/services/load/limiter.ts';
import { openQueryTap, type QueryTap } from '../../support/postgres/control.ts';
import { withClient } from '../../support/postgres/server.ts';
import { databaseHere, untilBlocked } from '../../support/postgres.ts';

describe('rows that are inserted together', () => {
  /** Statements wait for the locks of these tests, also on a busy machine. */
  const timeouts = { ...defaultTimeouts, lockMs: 0 };

  const own = databaseHere();
  let tap: QueryTap;
  let pool: Pool;
  let insertIssueOf: InsertIssueOf;

  beforeAll(async () => {
    tap = await openQueryTap(own.url);
    pool = openDatabase({ databaseUrl: tap.url, timeouts });
    insertIssueOf = insertInBatches(pool, new Limiter(classes.changes));
    await own.sql(`alter table issues add constraint not_refused check (title <> 'refused')`);
    await create('warms the connection');
  });

  afterAll(async () => {
    await pool?.close();
    await tap?.close();
  });

  const operation = { id: 'issues.create', changes: ['issue.created'] } as const;
  const operator = localOperator('tests');
  const issue = { title: 'x', category: 'x', severity: 'x', description: '', steps_to_reproduce: '' };
  const after = { title: 'x', category: 'x', severity: 'x', status: 'Open' } as const;

  /** Creates an issue as a call does. */
  async function create(title: string, call: CallOfChange = {}, actor = operator): Promise<number> {
    const insert = insertIssueOf(actor, operation, call);
    return await insert({ ...issue, title, description: title }, { ...after, title });
  }

  const createdBy = (name: string) =>
    own.sql(
      `select issues.id, title, description, actor_name, address, after, data
       from issues join audit_records on subject_id = issues.id::text join events on events.id = audit_records.id
       where actor_name = $1 order by issues.id`,
      [name],
    );

  test('rows of calls at the same time are inserted together, and each call gets and leaves what is its own', async () => {
    const titles = Array.from({ length: 40 }, (_, n) => `"quoted" \\ {${n}}, 'ünïcode' 🙂\n${n}`);
    tap.reset();
    const ids = await Promise.all(
      titles.map((title, n) => create(title, { address: `192.0.2.${n}` }, localOperator('crowd'))),
    );
    expect(tap.statements.filter((text) => text === 'COMMIT').length).toBeLessThan(10);
    const expected = titles.map((title, n) => ({
      id: String(ids[n]),
      title,
      description: title,
      actor_name: 'crowd',
      address: `192.0.2.${n}`,
      after: { ...after, title },
      data: { ...after, title },
    }));
    expect(await createdBy('crowd')).toEqual(expected.toSorted((a, b) => Number(a.id) - Number(b.id)));
  });

  test('a row that the database refuses fails alone', async () => {
    const titles = Array.from({ length: 20 }, (_, n) => (n === 11 ? 'refused' : `accepted ${n}`));
    const settled = await Promise.allSettled(
      titles.map((title) => create(title, {}, localOperator('mixed'))),
    );
    expect(settled[11]).toMatchObject({ reason: { message: expect.stringMatching(/constraint/) } });
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    const created = (await createdBy('mixed')).map(({ title }) => title);
    expect(created.toSorted()).toEqual(titles.filter((title) => title !== 'refused').toSorted());
  });

  test('a row whose caller has received a timeout error while it waited is not inserted', async () => {
    const caller = new AbortController();
    const calls: Promise<unknown>[] = [];
    await withClient(own.url, async (client) => {
      await client.query('begin; lock table issues in share mode');
      // As many batches wait as run at once.
      for (let batch = 1; batch <= 3; batch++) {
        calls.push(create(`waits ${batch}`));
        await untilBlocked(own, batch);
      }
      calls.push(expect(create('late', { signal: caller.signal })).rejects.toThrow('too late'));
      calls.push(create('in time', { signal: new AbortController().signal }));
      caller.abort(new Error('too late'));
      await client.query('commit');
      await Promise.all(calls);
    });
    expect(await own.sql(`select title from issues where title in ('late', 'in time')`)).toEqual([
      { title: 'in time' },
    ]);
  });

  /** Makes calls wait until their issues may be inserted, with one batch at once. Returns what lets them go on. */
  function holdTurn(limits: Partial<Limits> = {}) {
    const limiter = new Limiter({ ...classes.changes, atOnce: 1, ...limits });
    const held = Promise.withResolvers<void>();
    void limiter.run('another', () => held.promise);
    insertIssueOf = insertInBatches(pool, limiter);
    return held.resolve;
  }

  /** Returns how many of the issues with such titles each transaction inserted. */
  const batchesOf = async (titles: string) =>
    (
      await own.sql<{ count: string }>(
        `select count(*) from issues where title like $1 group by xmin order by count(*) desc`,
        [titles],
      )
    ).map(({ count }) => Number(count));

  test('those whose caller has left do not split the batch of the others', async () => {
    const letGo = holdTurn();
    const [early, late] = [new AbortController(), new AbortController()];
    const calls = Array.from({ length: 10 }, (_, n) => {
      const signal = [early, late][n]?.signal;
      const created = create(`together ${n}`, signal && { signal });
      return signal ? expect(created).rejects.toThrow('left') : created;
    });
    early.abort(new Error('left'));
    await withClient(own.url, async (client) => {
      await client.query('begin; lock table issues in share mode');
      letGo();
      await untilBlocked(own);
      late.abort(new Error('left'));
      await client.query('commit');
    });
    await Promise.all(calls);
    expect(await batchesOf('together %')).toEqual([8]);
  });

  test('a batch has a limit of bytes', async () => {
    const letGo = holdTurn();
    const long = 'é'.repeat(30_000);
    const calls = Array.from({ length: 6 }, (_, n) => create(`long ${n} ${long}`));
    letGo();
    await Promise.all(calls);
    // The text is the title and the description.
    expect(await batchesOf('long %')).toEqual([2, 2, 2]);
  });

  test('each caller has a share, and not more may wait than of other changes', async () => {
    const letGo = holdTurn({ atOnce: 3, perCaller: 1, maxQueued: 2 });
    const [crowd, other] = [localOperator('crowd'), localOperator('other')].map((actor) => ({
      ...actor,
      id: actor.name,
    }));
    await withClient(own.url, async (client) => {
      await client.query('begin; lock table issues in share mode');
      const calls = Array.from({ length: 4 }, (_, n) => create(`crowd ${n}`, {}, crowd));
      await expect(calls.pop()).rejects.toMatchObject({ code: 'busy' });
      await untilBlocked(own);
      calls.push(create('other', {}, other));
      await untilBlocked(own, 2);
      await client.query('commit');
      await Promise.all(calls);
    });
    letGo();
    expect(await batchesOf('crowd %')).toEqual([2, 1]);
  });

  test('all calls learn that the database is gone', async () => {
    const gone = openDatabase({ databaseUrl: 'postgres://127.0.0.1:1/none' });
    const insert = insertInBatches(gone, new Limiter(classes.changes))(operator, operation, {});
    const calls = Array.from({ length: 5 }, () => insert(issue, after));
    for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected');
    await gone.close();
  });
});

describe('what the caller expects of a row', () => {
  test('passes if it is nothing, or what the row is', () => {
    checkExpected('issue', undefined, null);
    const row = { status: 'Open', draft: null, is_active: 1 };
    for (const expected of [{}, { status: undefined }, row]) checkExpected('issue', expected, row);
  });

  const all = (value: string) => Object.fromEntries([...'abcdefg'].map((field) => [field, value]));

  test.for([
    [{ title: 'a', draft: 'a' }, { title: '', draft: null }, 'title is now empty; draft is no longer set.'],
    [{ title: 'a' }, { title: 'It broke.' }, 'title is now It broke.'],
    [{ title: 'a' }, { title: '🐛'.repeat(61) }, `title is now ${'🐛'.repeat(60)}…`],
    [{ title: 'a' }, { title: 'x\r\ny\u001b[2J\u009b\u202e' }, 'title is now x y\uFFFD[2J\uFFFD\uFFFD.'],
    [all('1'), all('2'), 'a is now 2; b is now 2; c is now 2; d is now 2; e is now 2; and 2 more.'],
  ] as const)('%j of %j is rejected: %s', ([expected, current, text]) => {
    const rejection = { code: 'changed', message: `Changed meanwhile: ${text}` };
    expect(() => checkExpected('issue', expected, current)).toThrow(expect.objectContaining(rejection));
  });
});
