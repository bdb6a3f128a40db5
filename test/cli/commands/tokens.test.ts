import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { backoffice } from '../../support/run.ts';

describe('backoffice tokens', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(async () => {
    await database.drop();
  });

  const run = (args: string[]) => backoffice(args, { env: { DATABASE_URL: database.url } });

  test('creates, lists and revokes tokens, and shows a secret only once', async () => {
    const created = await run(['tokens', 'create', '--name', 'nightly', '--role', 'admin']);
    expect(created.stdout).toMatch(/^bo_[\w-]{43}\n$/);
    const listed = await run(['tokens', 'list']);
    expect(listed.stdout).toMatch(/nightly\tadmin\tvalid/);
    expect(listed.stdout).not.toContain('bo_');
    const [token] = JSON.parse((await run(['tokens', 'list', '--json'])).stdout).tokens;
    expect(await run(['tokens', 'revoke', String(token.id), '--yes'])).toMatchObject({
      code: 0,
      stdout: `Revoked token ${token.id}.\n`,
    });
    expect((await run(['tokens', 'list'])).stdout).toMatch(/nightly\tadmin\trevoked/);
    expect(await run(['tokens', 'revoke', '999', '--yes'])).toMatchObject({ code: 3 });
  });

  test('creates tokens that never expire, or expire after some days', async () => {
    const create = ['tokens', 'create', '--json', '--name'];
    const forever = await run([...create, 'forever', '--expires', 'never']);
    const { id, expires_at } = JSON.parse(forever.stdout);
    expect(expires_at).toBeNull();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const made = await run([...create, 'for a year', '--expires', '365']);
    // The day may turn between the two.
    expect([inDays(364), inDays(365)]).toContain(JSON.parse(made.stdout).expires_at.slice(0, 10));
    expect(await run(['tokens', 'revoke', String(id), '--yes', '--json'])).toMatchObject({
      code: 0,
      stdout: '{"success":true}\n',
    });
  });
});
