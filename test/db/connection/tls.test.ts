import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { sql } from 'slonik';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { checkDatabaseTls, describeUnreachable } from '../../../cli/doctor/database.ts';
import { readConfig } from '../../../src/config.ts';
import { openDatabase } from '../../../src/db/connection/database.ts';
import { inspectServer } from '../../../src/db/connection/inspect-server.ts';
import { withClient } from '../../support/postgres/server.ts';

const folder = fileURLToPath(new URL('../../support/postgres/tls/', import.meta.url));
const authority = `${folder}authority.crt`;
const isEncrypted = sql.type(
  z.object({ ssl: z.boolean() }),
)`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;

/** Writes a file into the server's data directory, as the server's own user. */
async function copyToServer(client: pg.Client, name: string): Promise<void> {
  const text = await readFile(folder + name, 'utf8');
  await client.query(
    `copy (select unnest(string_to_array(${client.escapeLiteral(text.trimEnd())}, e'\\n'))) to program 'umask 077; cat > ${name}'`,
  );
}

beforeAll(async () => {
  // Connections that do not ask for TLS, such as those of other test files, stay as they are.
  await withClient(inject('adminUrl'), async (client) => {
    await copyToServer(client, 'server.crt');
    await copyToServer(client, 'server.key');
    await client.query('alter system set ssl = on');
    await client.query('select pg_reload_conf()');
    const isOn = async () => (await client.query('show ssl')).rows[0].ssl === 'on';
    while (!(await isOn())) await sleep(20);
  });
});

/** Returns the URL of the test server as the environment variable would give it. */
function configuredUrl(parameters: Record<string, string>): string {
  const url = new URL(inject('adminUrl'));
  url.hostname = 'localhost';
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return String(readConfig({ DATABASE_URL: url.href }).databaseUrl);
}

/** Returns whether each kind of connection is encrypted. */
async function askWithEachKind(url: string): Promise<unknown[]> {
  const pool = openDatabase({ databaseUrl: url, maxConnections: 1 });
  onTestFinished(() => pool.close());
  const plain = withClient(url, async (client) => (await client.query(isEncrypted.sql)).rows[0].ssl);
  const answers = await Promise.allSettled([plain, pool.oneFirst(isEncrypted)]);
  return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason)));
}

const refusal = expect.stringContaining('certificate');

test.for([
  ['require', [refusal, refusal]],
  ['verify-ca', [refusal, refusal]],
  ['verify-full', [refusal, refusal]],
  ['no-verify', [true, true]],
  ['disable', [false, false]],
] as const)('sslmode=%s holds on every kind of connection', async ([sslmode, answers]) => {
  expect(await askWithEachKind(configuredUrl({ sslmode }))).toEqual(answers);
  if (answers[0] !== refusal) return;
  const trusting = configuredUrl({ sslmode, sslrootcert: authority });
  expect(await askWithEachKind(trusting)).toEqual([true, true]);
});

test('sslmode=prefer, which would go on without TLS, is refused', () => {
  expect(() => configuredUrl({ sslmode: 'prefer' })).toThrow(
    'DATABASE_URL has an unknown sslmode: use verify-full, no-verify or disable',
  );
});

test('doctor says what to do about a certificate of an unknown authority', async () => {
  const url = configuredUrl({ sslmode: 'verify-full' });
  const error = await inspectServer(url).catch((reason: unknown) => reason);
  expect(describeUnreachable('DATABASE_URL', url, error)).toMatchObject({
    detail: expect.stringContaining('its certificate is from an unknown authority'),
    fix: "Add sslrootcert=<file> with the authority's certificate (DATABASE_URL).",
  });
});

test.each([
  ['postgres://u:p@db.example.com/b', 'the connection to db.example.com is not encrypted'],
  ['postgres://u:p@10.0.0.7/b?sslmode=disable', 'the connection to 10.0.0.7 is not encrypted'],
  ['postgres://u:p@db.example.com/b?sslmode=no-verify', 'db.example.com need not prove'],
  ['postgres://u:p@db.example.com/b?sslmode=verify-full', 'the certificate of db.example.com is checked'],
])('doctor judges %s', (url, detail) => {
  expect(checkDatabaseTls(url)).toMatchObject({ detail: expect.stringContaining(detail) });
});

test.each(['127.0.0.1', 'postgres', '%2Fvar%2Frun'])('doctor wants no TLS to the near server %s', (host) => {
  expect(checkDatabaseTls(`postgres://u:p@${host}/b`)).toBeUndefined();
});
