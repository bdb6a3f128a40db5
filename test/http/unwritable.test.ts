import { expect, test } from 'vitest';
import { sentenceOf } from '../../cli/failures.ts';
import { signIn } from '../support/here/accounts.ts';
import { backofficeHere, password } from '../support/here.ts';

const backoffice = backofficeHere();

async function send(method: string, path: string, body?: object) {
  const { service, superadmin } = backoffice;
  const response = await service.fetch(`/api/admin${path}`, {
    method,
    headers: { cookie: superadmin.cookie },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { error } = (await response.json()) as { error?: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), error };
}

const refused = (error: string) => ({ status: 500, retryAfter: '2', error });
const answered = { status: 200, retryAfter: null, error: undefined };

test('a full disk fails a change with one sentence, and reads go on', async () => {
  // As Postgres fails when it cannot extend a file. The message may name one.
  await backoffice.sql(`
    create function fail_on_full_disk() returns trigger language plpgsql as $$
    begin raise disk_full using message = 'could not extend file "base/5/16384": No space left on device'; end $$;
    create trigger full_disk before insert on issues for each row execute function fail_on_full_disk();
  `);
  const error = 'The database has no disk space left.';
  expect(await send('POST', '/issues', { title: 'One' })).toEqual({ status: 500, retryAfter: null, error });
  expect(await send('GET', '/issues?limit=1')).toEqual(answered);
  const failure = await backoffice.sql(`insert into issues (title) values ('Two')`).catch((reason) => reason);
  expect(sentenceOf(failure)).toBe(`${error} Free space on its disk, then try again.`);
  await backoffice.sql('drop trigger full_disk on issues');
  expect(await send('POST', '/issues', { title: 'Three' })).toEqual(answered);
});

test('a database that is read-only refuses each change with one sentence, and reads go on', async () => {
  const setReadOnly = async (value: 'on' | 'off') => {
    await backoffice.sql('set default_transaction_read_only = off');
    const [row] = await backoffice.sql<{ name: string }>('select current_database() as name');
    await backoffice.sql(`alter database "${row?.name}" set default_transaction_read_only = ${value}`);
    await backoffice.sql(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  };
  await setReadOnly('on');
  // A connection of the pool that has ended fails one request.
  const sentence = 'The database accepts no changes at the moment.';
  await expect.poll(() => send('POST', '/issues', { title: 'One' })).toEqual(refused(sentence));
  expect(await send('PUT', '/settings', { key: 'a', value: 'b' })).toEqual(refused(sentence));
  const admin = { email: 'new@example.com', password };
  // The contract has a text of its own for these.
  expect(await send('POST', '/admins', admin)).toEqual(refused('Failed to create admin.'));
  const signedIn = await signIn(backoffice.service, { email: backoffice.superadmin.email, password });
  expect([signedIn.status, signedIn.headers.get('retry-after')]).toEqual([503, '2']);
  for (const path of ['/issues?limit=1', '/conversations', '/admins', '/session'])
    expect(await send('GET', path)).toEqual(answered);
  expect((await backoffice.service.fetch('/readyz')).status).toBe(200);

  await setReadOnly('off');
  await expect.poll(() => send('POST', '/issues', { title: 'One' })).toEqual(answered);
});
