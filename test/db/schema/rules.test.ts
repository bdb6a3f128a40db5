import connectPgSimple from 'connect-pg-simple';
import session from 'express-session';
import { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere(1);

// Each test runs in its own transaction, in which now() does not change.
beforeEach(() => own.client.query('begin'));
afterEach(() => own.client.query('rollback'));

async function one(text: string, values: unknown[] = []): Promise<Record<string, unknown>> {
  const { rows } = await own.client.query<Record<string, unknown>>(text, values);
  expect(rows).toHaveLength(1);
  return rows[0] ?? {};
}

test.for([
  [
    'admin',
    `insert into admins (email, username) values ('a@example.com', 'a') returning *`,
    { role: 'admin', is_active: 1, otp_email: 'a@example.com', password_hash: '' },
    /^admin_\d{13}_[0-9a-z]{6}$/,
  ],
  [
    'conversation',
    `insert into conversations (visitor_email, visitor_name) values ('v@example.com', 'V') returning *`,
    { subject: '', status: 'open' },
    /^conv_\d{13}_[0-9a-z]{7}$/,
  ],
  [
    'issue',
    `insert into issues (title) values ('t') returning *`,
    { category: 'Other', severity: 'Low', description: '', steps_to_reproduce: '', status: 'Open' },
    /^\d+$/,
  ],
] as const)('an INSERT of only the required columns creates a complete %s', async ([, insert, row, id]) => {
  expect(await one(insert)).toMatchObject({ ...row, id: expect.stringMatching(id) });
});

describe('updated_at', () => {
  const old = '2026-01-31 09:30Z';

  test.each([
    [
      'issues',
      `insert into issues (title, updated_at) values ('t', '${old}')`,
      `update issues set status = status`,
    ],
    [
      'settings',
      `insert into settings values ('key', 'value', '${old}')`,
      `update settings set setting_value = setting_value`,
    ],
    [
      'admins',
      `insert into admins (email, username, updated_at) values ('a', 'a', '${old}')`,
      `update admins set username = 'b'`,
    ],
  ])('of %s is set by a plain UPDATE, unless the UPDATE sets it itself', async (table, insert, update) => {
    await own.client.query(insert);
    await own.client.query(update);
    const fresh = `select updated_at::timestamptz(3) = now()::timestamptz(3) as fresh from ${table}`;
    expect(await one(fresh)).toEqual({ fresh: true });
    await own.client.query(`update ${table} set updated_at = '${old}'`);
    expect(await one(fresh)).toEqual({ fresh: false });
  });
});

describe('a new message', () => {
  async function conversation(status: string): Promise<void> {
    await own.client.query(
      `insert into conversations (id, visitor_email, visitor_name, status, updated_at)
       values ('c', 'v@example.com', 'V', $1, '2026-01-31 09:30Z')`,
      [status],
    );
  }

  function message(sender: string, createdAt = 'now'): Promise<unknown> {
    return own.client.query(
      `insert into conversation_messages (conversation_id, sender_type, content, created_at)
       values ('c', $1, 'text', $2)`,
      [sender, createdAt],
    );
  }

  const state = () => one(`select status, updated_at = now()::timestamptz(3) as fresh from conversations`);

  test.each([
    ['visitor', 'closed', 'open'],
    ['visitor', 'resolved', 'open'],
    ['visitor', 'pending', 'pending'],
    ['admin', 'closed', 'closed'],
  ])(
    'of the %s changes a conversation from %s to %s, and moves it to the top',
    async (sender, before, after) => {
      await conversation(before);
      await message(sender);
      expect(await state()).toEqual({ status: after, fresh: true });
    },
  );

  test('that is older than the last change neither moves nor reopens the conversation', async () => {
    await conversation('closed');
    await message('visitor', '2026-01-30 09:30Z');
    expect(await state()).toEqual({ status: 'closed', fresh: false });
  });
});

describe('sessions', () => {
  async function signedIn(): Promise<void> {
    await own.client.query(
      `insert into admins (id, email, username) values ('a', 'a', 'a'), ('b', 'b', 'b')`,
    );
    await own.client.query(
      `insert into sessions (sid, sess, expire)
       values ('a1', '{"adminId":"a"}', now()), ('a2', '{"adminId":"a"}', now()), ('b1', '{"adminId":"b"}', now())`,
    );
  }

  async function left(): Promise<string> {
    return String(
      (await one(`select coalesce(string_agg(sid, ' ' order by sid), '') as sids from sessions`)).sids,
    );
  }

  test.each([
    `delete from admins where id = 'a'`,
    `update admins set role = 'user' where id = 'a'`,
    `update admins set is_active = 0 where id = 'a'`,
    `update admins set password_hash = 'new' where id = 'a'`,
    `update admins set email = 'new' where id = 'a'`,
  ])('end after: %s', async (change) => {
    await signedIn();
    await own.client.query(change);
    expect(await left()).toBe('b1');
  });

  test.each([
    `update admins set username = 'new' where id = 'a'`,
    `update admins set role = role, email = email, password_hash = password_hash`,
  ])('survive: %s', async (change) => {
    await signedIn();
    await own.client.query(change);
    expect(await left()).toBe('a1 a2 b1');
  });

  test('the session in backoffice.keep_session survives a change, but not a deactivation', async () => {
    await signedIn();
    await own.client.query(`set local backoffice.keep_session = 'a1'`);
    await own.client.query(`update admins set password_hash = 'new' where id = 'a'`);
    expect(await left()).toBe('a1 b1');
    await own.client.query(`update admins set is_active = 0 where id = 'a'`);
    expect(await left()).toBe('b1');
  });
});

describe('tables that libraries use', () => {
  test('connect-pg-simple writes and reads a session', async () => {
    const pool = new Pool({ connectionString: own.url });
    await pool.query(`insert into admins (id, email, username) values ('stored', 's', 's')`);
    const Store = connectPgSimple(session);
    const store = new Store({ pool, tableName: 'sessions', pruneSessionInterval: false });
    const stored = {
      cookie: { originalMaxAge: 60_000 },
      adminId: 'stored',
    } as unknown as session.SessionData;

    for (let write = 0; write < 2; write += 1) {
      await new Promise<void>((resolve, reject) => {
        store.set('sid', stored, (error?: unknown) => (error ? reject(error) : resolve()));
      });
    }
    const read = await new Promise((resolve, reject) => {
      store.get('sid', (error: unknown, data) => (error ? reject(error) : resolve(data)));
    });
    expect(read).toEqual(stored);
    await store.close();
    await pool.end();
  });
});
