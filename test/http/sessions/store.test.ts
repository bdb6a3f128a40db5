import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SessionStore } from '../../../src/http/sessions/store.ts';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import {
  backofficeHere,
  instanceHere,
  openSession,
  password,
  type SignedIn,
  startTestService,
  type TestService,
} from '../../support/here.ts';
import { openQueryTap, type QueryTap } from '../../support/postgres/control.ts';
import { withClient } from '../../support/postgres/server.ts';
import { createTestDatabase, type TestDatabase, untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();

let cookie: string;
let key: string;

beforeEach(async () => {
  await backoffice.sql('delete from sessions');
  cookie = await openSession(backoffice.service.url, backoffice.superadmin.email);
  key = keyOf(cookie);
});

/** Returns the key of a session's row: the SHA-256 of the id in its cookie. */
function keyOf(signed: string): string {
  const [id = ''] = decodeURIComponent(signed.split('=', 2)[1] ?? '')
    .slice('s:'.length)
    .split('.', 1);
  return createHash('sha256').update(id).digest('base64url');
}

const age = (column: 'expire' | 'last_seen_at', interval: string) =>
  backoffice.sql(`update sessions set ${column} = now() - $1::interval where sid = $2`, [interval, key]);

describe('the row of a session', () => {
  test('stores a hash of the id, and nothing that opens the session', async () => {
    const rows = await backoffice.sql('select * from sessions');
    expect(rows.map(({ sid }) => sid)).toStrictEqual([key]);
    const id = decodeURIComponent(cookie).split(/[:.]/)[1] ?? '';
    expect(id).toHaveLength(32);
    expect(JSON.stringify(rows)).not.toContain(id);
  });

  test('is not written by requests', async () => {
    const version = () => backoffice.sql('select ctid::text, xmin::text from sessions');
    const before = await version();
    for (let request = 0; request < 20; request++) {
      expect(await statusWith(backoffice.service, cookie)).toBe(200);
    }
    expect(await version()).toStrictEqual(before);
  });

  test('records the last request once a minute, however many come at once', async () => {
    await backoffice.sql(`
      create table touches (at timestamptz default now());
      create function note_touch() returns trigger language plpgsql security definer as
        $$ begin insert into touches default values; return null; end $$;
      create trigger note_touch after update of last_seen_at on sessions
        for each row when (new.last_seen_at >= old.last_seen_at) execute function note_touch();
    `);
    await age('last_seen_at', '61 seconds');
    const requests = 4;
    await withClient(backoffice.service.databaseUrl, async (client) => {
      // The lock delays the update, so each request finds that one is due.
      await client.query('begin; select 1 from sessions for update');
      for (let request = 0; request < requests; request++) {
        expect(await statusWith(backoffice.service, cookie)).toBe(200);
      }
      await untilBlocked(backoffice, requests);
      await client.query('commit');
      await untilBlocked(backoffice, 0);
    });
    const touches = () => backoffice.sql('select * from touches');
    expect(await touches()).toHaveLength(1);
    await statusWith(backoffice.service, cookie);
    expect(await touches()).toHaveLength(1);
    expect(
      await backoffice.sql(`select 1 from sessions where last_seen_at > now() - interval '1 minute'`),
    ).toHaveLength(1);
  });
});

describe('a sign-in with a session', () => {
  const signInAgain = (secret: string) =>
    signIn(backoffice.service, { email: backoffice.superadmin.email, password: secret }, { cookie });
  const ended = () =>
    backoffice.sql(`
      select operation, actor_name, before from audit_records where event = 'session.ended' and subject_id = '${key}'
    `);

  test('ends it, and records that, in the change that starts the new one', async () => {
    const response = await signInAgain(password);
    const fresh = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect(await statusWith(backoffice.service, cookie)).toBe(401);
    expect(await statusWith(backoffice.service, fresh)).toBe(200);
    const { id, email } = backoffice.superadmin;
    expect(await ended()).toEqual([
      { operation: 'session.create', actor_name: email, before: { admin_id: id } },
    ]);
  });

  async function expectKept(status: number, secret: string): Promise<void> {
    const response = await signInAgain(secret);
    expect(response.status).toBe(status);
    // No other cookie replaces it.
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await statusWith(backoffice.service, cookie)).toBe(200);
    expect(await ended()).toEqual([]);
  }

  test('keeps it if the password is wrong', () => expectKept(401, 'not the password'));

  test('keeps it if the new one cannot be stored', async () => {
    await backoffice.sql(`alter table sessions add constraint no_more check (expire < now()) not valid`);
    try {
      await expectKept(500, password);
    } finally {
      await backoffice.sql('alter table sessions drop constraint no_more');
    }
  });
});

describe('the lifetime of a session', () => {
  const brief = instanceHere(backoffice, { SESSION_IDLE_MINUTES: '2', SESSION_HOURS: '1' });

  test('ends after 30 minutes without a request', async () => {
    await age('last_seen_at', '29 minutes 50 seconds');
    expect(await statusWith(backoffice.service, cookie)).toBe(200);
    // That request updated the time, so it is also recent enough for a limit of two minutes.
    await expect.poll(() => statusWith(brief, cookie)).toBe(200);
    await age('last_seen_at', '30 minutes 1 second');
    expect(await statusWith(backoffice.service, cookie)).toBe(401);
  });

  test('ends after 12 hours in any case', async () => {
    const whole = await backoffice.sql(
      `select 1 from sessions where expire - created_at = interval '12 hours'`,
    );
    expect(whole).toHaveLength(1);
    await age('expire', '1 second');
    expect(await statusWith(backoffice.service, cookie)).toBe(401);
  });

  test('is as long as the configuration says', async () => {
    await age('last_seen_at', '2 minutes 1 second');
    expect(await statusWith(brief, cookie)).toBe(401);
    key = keyOf(await openSession(brief.url, backoffice.superadmin.email));
    const hours = 'extract(epoch from expire - created_at) / 3600';
    expect(
      await backoffice.sql(`select (${hours})::int as hours from sessions where sid = $1`, [key]),
    ).toEqual([{ hours: 1 }]);
  });

  test('leaves no row behind: only expired rows are pruned', async () => {
    await openSession(backoffice.service.url, backoffice.superadmin.email);
    await age('expire', '1 second');
    const { databases } = backoffice.service.services;
    const log = pino({ level: 'silent' });
    const times = { idleSeconds: 60, maxAgeSeconds: 60 };
    const store = new SessionStore({ db: databases.primary, ...times, log });
    await promisify(store.pruneSessions.bind(store))();
    await store.close();
    const left = await backoffice.sql('select sid from sessions');
    expect(left).toHaveLength(1);
    expect(left).not.toContainEqual({ sid: key });
  });
});

describe('the statements of a request', () => {
  let database: TestDatabase;
  let tap: QueryTap;
  let service: TestService;
  let admin: SignedIn;

  beforeAll(async () => {
    database = await createTestDatabase();
    tap = await openQueryTap(database.url);
    service = await startTestService({ DATABASE_URL: tap.url });
    admin = await service.signIn('user');
  });

  afterAll(async () => {
    await service?.stop();
    await tap?.close();
    await database?.drop();
  });

  beforeEach(async () => {
    // The first request on a connection may run extra statements.
    await admin.client.call('session.show');
    tap.reset();
  });

  /** Returns what was sent, but not the look for changes each second. */
  const statements = () => tap.statements.filter((text) => !/publish_changes/.test(text));

  test('a request with a session runs one statement, which reads session and admin and writes nothing', async () => {
    await admin.client.call('session.show');
    expect(statements()).toEqual([
      expect.stringMatching(/^\s*select\b.*\bfrom sessions\b.*\bjoin admins\b/s),
    ]);
  });

  test('a request with an API token runs one statement', async () => {
    const { secret } = await service.createToken('user');
    const send = () =>
      service.fetch('/api/admin/session', { headers: { authorization: `Bearer ${secret}` } });
    // Recording the first use takes another statement.
    expect((await send()).status).toBe(200);
    tap.reset();
    expect((await send()).status).toBe(200);
    expect(statements()).toEqual([expect.stringMatching(/^\s*select\b.*\bfrom api_tokens\b/s)]);
  });

  test('a request without a session runs no statement', async () => {
    const headers = [
      {},
      { cookie: 'theme=dark' },
      { cookie: 'backoffice=s%3Aforged.signature' },
      { authorization: 'Bearer x' },
    ];
    for (const sent of headers)
      expect((await service.fetch('/api/admin/issues', { headers: sent })).status).toBe(401);
    expect(statements()).toStrictEqual([]);
  });
});
