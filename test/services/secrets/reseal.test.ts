import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { sealPlainSecrets } from '../../../src/services/secrets/reseal.ts';
import { createSecretBox, type SecretBox } from '../../../src/services/secrets/secret-box.ts';
import { openWebhookSecrets } from '../../../src/services/webhooks/webhook-secrets.ts';
import { withClient } from '../../support/database/client.ts';
import { testEncryptionKey } from '../../support/encryption-key.ts';
import { startTestService, type TestService } from '../../support/http/service.ts';
import { backoffice } from '../../support/terminal/hosted-command.ts';

const older = Buffer.from(testEncryptionKey, 'base64');
const newer = randomBytes(32);
const [olderBox, newerBox] = [createSecretBox([older]), createSecretBox([newer])];
const log = { error: () => {}, warn: () => {}, info: () => {} };
const total = 250;

let service: TestService;
const query = (text: string, values: unknown[] = []) =>
  withClient(service.databaseUrl, async (client) => (await client.query(text, values)).rows);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

/** An installation of an older version: webhooks in clear text, one of them with its former secret too. */
beforeEach(async () => {
  await query('truncate webhooks, settings, job_workers restart identity');
  await query(`
    insert into webhooks (id, url, secret, former_secret, updated_at)
    select n, 'https://example.com', 'whsec_' || n, case n when 7 then 'whsec_former' end, '2026-01-31T09:30:00Z'
    from generate_series(1, ${total - 1}) as n
  `);
});

/** Runs a command with keys, newest first. */
async function run(args: readonly string[], keys: readonly Buffer[]) {
  const env = {
    DATABASE_URL: service.databaseUrl,
    BACKOFFICE_ENCRYPTION_KEY: keys.map((key) => key.toString('base64')).join(','),
  };
  return await backoffice(args, { env });
}

async function doctor(keys: readonly Buffer[]): Promise<Finding | undefined> {
  const { stdout } = await run(['doctor', '--json'], keys);
  return (JSON.parse(stdout) as { checks: Finding[] }).checks.find(({ check }) => check === 'secrets');
}

/** Expects that a box opens every secret of the webhooks. */
async function expectOpens(box: SecretBox): Promise<void> {
  const rows = await query('select id::integer, secret, former_secret, updated_at from webhooks order by id');
  expect(rows).toHaveLength(total - 1);
  for (const { id, secret, former_secret, updated_at } of rows) {
    expect(secret).toMatch(new RegExp(`^sealed\\.v1\\.${box.keyId}\\.`));
    expect(openWebhookSecrets(box, id, [secret])).toEqual([`whsec_${id}`]);
    if (id === 7) expect(openWebhookSecrets(box, id, [former_secret])).toEqual(['whsec_former']);
    expect(updated_at).toEqual(new Date('2026-01-31T09:30:00Z'));
  }
}

const counted = (count: number, box: SecretBox) => `${total} secrets: ${count} with the key ${box.keyId}`;

describe('secrets in clear text', () => {
  test('are encrypted once, without a change of the webhook, also by two instances at once', async () => {
    expect(await doctor([older])).toMatchObject({
      state: 'warning',
      detail: '250 secrets: 250 in clear text',
    });
    await Promise.all([1, 2].map(() => sealPlainSecrets(service.services, log)));
    await expectOpens(olderBox);
    expect(await doctor([older])).toMatchObject({ state: 'ok', detail: counted(total, olderBox) });
    await service.services.publisher.catchUp();
    const [recorded] = await query(
      `select sum((after ->> 'secrets')::integer)::integer as secrets from audit_records where operation = 'secrets.seal'`,
    );
    expect(recorded).toEqual({ secrets: total });
  });

  test('stay while a server of an older version runs, which could not read them', async () => {
    await query(`insert into job_workers (name, seen_at) values ('older', now() - interval '5 seconds')`);
    await sealPlainSecrets(service.services, log);
    expect(await doctor([older])).toMatchObject({ detail: '250 secrets: 250 in clear text' });
    await query(`update job_workers set seen_at = now() - interval '1 minute'`);
    await sealPlainSecrets(service.services, log);
    await expectOpens(olderBox);
  });

  test('that SQL writes to a secret setting are encrypted too', async () => {
    await query(
      `insert into settings values ('password', 'hunter2', default, true), ('plain', 'x', default, false)`,
    );
    await sealPlainSecrets(service.services, log);
    const rows = await query('select setting_key as key, setting_value as value from settings order by 1');
    expect(olderBox.open(rows[0].value, 'setting:password')).toBe('hunter2');
    expect(rows[1]).toEqual({ key: 'plain', value: 'x' });
  });
});

describe('backoffice secrets rotate', () => {
  test('encrypts everything with the newest key, so that the older one can go', async () => {
    await sealPlainSecrets(service.services, log);
    const rotated = await run(['secrets', 'rotate', '--json'], [newer, older]);
    expect(rotated).toMatchObject({ code: 0, stdout: `{"rotated":${total},"left":0}\n` });
    await expectOpens(newerBox);
    expect(await doctor([newer])).toMatchObject({ state: 'ok', detail: counted(total, newerBox) });
    const again = await run(['secrets', 'rotate'], [newer]);
    expect(again).toMatchObject({ code: 0, stdout: 'Encrypted 0 secrets again.\n' });
  });

  test('leaves what it cannot read, and says so', async () => {
    await sealPlainSecrets(service.services, log);
    const other = await run(['secrets', 'rotate'], [newer]);
    expect(other).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${total} secrets are not encrypted`),
    });
    expect(await doctor([newer])).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining(`BACKOFFICE_ENCRYPTION_KEY does not list the key ${olderBox.keyId}`),
    });
    await query(`update webhooks set secret = (select secret from webhooks where id = 2) where id = 1`);
    const damaged = await run(['secrets', 'rotate'], [newer, older]);
    expect(damaged).toMatchObject({ code: 1, stdout: `Encrypted ${total - 1} secrets again.\n` });
  });

  test('without a key says which variable to set', async () => {
    const { code, stderr } = await run(['secrets', 'rotate'], []);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('Set BACKOFFICE_ENCRYPTION_KEY'),
    });
    expect(await doctor([])).toMatchObject({
      state: 'warning',
      mend: expect.stringContaining('openssl rand'),
    });
  });
});
