import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { createSecretBox, type SecretBox } from '../../../src/services/secrets/secret-box.ts';
import { openWebhookSecrets, sealWebhookSecret } from '../../../src/services/webhooks/delivery.ts';
import { backofficeHere } from '../../support/here.ts';
import { testEncryptionKey } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';

describe('the secret box', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const box = createSecretBox([newer, older]);

  test('opens what it sealed, each time differently, only for its own purpose, and only unchanged', () => {
    const sealed = box.seal('Straße 🚲', 'webhook:1');
    expect(box.open(sealed, 'webhook:1')).toBe('Straße 🚲');
    expect(box.seal('Straße 🚲', 'webhook:1')).not.toBe(sealed);
    expect(() => box.open(sealed, 'webhook:2')).toThrow();
    const bytes = Buffer.from(sealed.split('.')[3] ?? '', 'base64url');
    for (const index of [0, 12, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      const sealedText = `sealed.v1.${box.keyId}.${changed.toString('base64url')}`;
      expect(() => box.open(sealedText, 'webhook:1')).toThrow();
    }
    expect(() => box.open('whsec_abc', 'webhook:1')).toThrow('not encrypted');
  });

  test('opens with each of its keys, names one that it lacks, and without any says what to set', () => {
    const error = (text: string) =>
      expect.objectContaining({ code: 'not_configured', message: expect.stringContaining(text) });
    expect(box.open(createSecretBox([older]).seal('kept', 'setting:k'), 'setting:k')).toBe('kept');
    const sealed = box.seal('lost', 'setting:k');
    expect(() => createSecretBox([older]).open(sealed, 'setting:k')).toThrow(error(`the key ${box.keyId}.`));
    expect(() => createSecretBox([]).seal('a', 'b')).toThrow(error('BACKOFFICE_ENCRYPTION_KEY'));
  });

  test('digests by key and purpose', () => {
    const digests = [
      box.digest('a code', 'sent-code'),
      box.digest('a code', 'device-code'),
      createSecretBox([older]).digest('a code', 'sent-code'),
    ];
    expect(new Set(digests.map(String)).size).toBe(3);
  });
});

describe('sealing again', () => {
  const older = Buffer.from(testEncryptionKey, 'base64');
  const newer = randomBytes(32);
  const [olderBox, newerBox] = [createSecretBox([older]), createSecretBox([newer])];
  const total = 250;

  const own = backofficeHere();
  const query = own.sql;

  /** Webhooks with secrets under the older key, one of them with its former secret too. */
  beforeEach(async () => {
    await query('truncate webhooks, settings restart identity');
    const ids = Array.from({ length: total - 1 }, (_, index) => index + 1);
    await query(
      `insert into webhooks (id, url, secret, former_secret, updated_at)
     select id, 'https://example.com', secret, case id when 7 then $3 end, '2026-01-31T09:30:00Z'
     from unnest($1::bigint[], $2::text[]) as given (id, secret)`,
      [
        ids,
        ids.map((id) => sealWebhookSecret(olderBox, id, `whsec_${id}`)),
        sealWebhookSecret(olderBox, 7, 'whsec_former'),
      ],
    );
  });

  /** Runs a command with keys, newest first. */
  async function run(args: readonly string[], keys: readonly Buffer[]) {
    const env = {
      DATABASE_URL: own.service.databaseUrl,
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
    const rows = await query<{ id: number; secret: string; former_secret: string; updated_at: Date }>(
      'select id::integer, secret, former_secret, updated_at from webhooks order by id',
    );
    expect(rows).toHaveLength(total - 1);
    for (const { id, secret, former_secret, updated_at } of rows) {
      expect(secret.startsWith(`sealed.v1.${box.keyId}.`)).toBe(true);
      expect(openWebhookSecrets(box, id, [secret])).toEqual([`whsec_${id}`]);
      if (id === 7) expect(openWebhookSecrets(box, id, [former_secret])).toEqual(['whsec_former']);
      expect(updated_at).toEqual(new Date('2026-01-31T09:30:00Z'));
    }
  }

  test('secrets in clear text are not used until a rotation, or two at once, have encrypted them', async () => {
    // As SQL or version 0.1.0 has written them.
    await query(`
      set backoffice.keep_updated_at = on;
      update webhooks set secret = 'whsec_' || id where id <= 3;
      insert into settings values ('password', 'hunter2', default, true), ('plain', 'x', default, false)
    `);
    expect(() => openWebhookSecrets(olderBox, 1, ['whsec_1'])).toThrow('Run `backoffice secrets rotate`.');
    const { client } = await own.service.signIn('user');
    expect(JSON.stringify(await client.call('settings.show', { include: 'details' }))).not.toContain(
      'hunter2',
    );
    expect(await doctor([older])).toEqual({
      check: 'secrets',
      state: 'failed',
      detail: `251 secrets: 4 in clear text, 247 with the key ${olderBox.keyId}, which are not used`,
      fix: 'Run `backoffice secrets rotate`, which encrypts them.',
    });

    const rotate = () => run(['secrets', 'rotate', '--json'], [older]);
    const rotations = await Promise.all([rotate(), rotate()]);
    const [one, other] = rotations.map(({ stdout }) => JSON.parse(stdout).rotated as number);
    expect(Number(one) + Number(other)).toBe(4);
    // Their rows have not changed otherwise.
    await expectOpens(olderBox);
    const [password, plain] = await query('select setting_value as value from settings order by setting_key');
    expect(olderBox.open(password?.value, 'setting:password')).toBe('hunter2');
    expect(plain?.value).toBe('x');
  });

  describe('backoffice secrets rotate', () => {
    test('encrypts everything with the newest key, so that the older one can go', async () => {
      const rotated = await run(['secrets', 'rotate', '--json'], [newer, older]);
      expect(rotated).toMatchObject({ code: 0, stdout: `{"rotated":${total},"left":0}\n` });
      await expectOpens(newerBox);
      const detail = `${total} secrets: ${total} with the key ${newerBox.keyId}`;
      expect(await doctor([newer])).toMatchObject({ state: 'ok', detail });
      const again = await run(['secrets', 'rotate'], [newer]);
      expect(again).toMatchObject({ code: 0, stdout: 'Encrypted 0 secrets again.\n' });
    });

    test('leaves what it cannot read, and says so', async () => {
      const stderr = expect.stringContaining(`${total} secrets are not encrypted`);
      expect(await run(['secrets', 'rotate'], [newer])).toMatchObject({ code: 1, stderr });
      const detail = expect.stringContaining(
        `BACKOFFICE_ENCRYPTION_KEY does not list the key ${olderBox.keyId}`,
      );
      expect(await doctor([newer])).toMatchObject({ state: 'failed', detail });
      await query(`update webhooks set secret = (select secret from webhooks where id = 2) where id = 1`);
      const damaged = await run(['secrets', 'rotate'], [newer, older]);
      expect(damaged).toMatchObject({ code: 1, stdout: `Encrypted ${total - 1} secrets again.\n` });
    });

    test('without a key says which variable to set', async () => {
      await query(`update webhooks set secret = 'whsec_' || id, former_secret = null`);
      const stderr = expect.stringContaining('Set BACKOFFICE_ENCRYPTION_KEY');
      expect(await run(['secrets', 'rotate'], [])).toMatchObject({ code: 1, stderr });
      const fix = expect.stringContaining('openssl rand');
      expect(await doctor([])).toMatchObject({ state: 'failed', fix });
    });
  });
});
