import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationOf } from '../../../src/contract/registry.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { createApiToken } from '../../../src/services/sign-in/api-tokens.ts';
import { withClient } from '../../support/http/admin-client.ts';
import { startTestService, type TestService } from '../../support/http/service.ts';
import { backoffice } from '../../support/terminal/command.ts';

/** Each reading command, and the operation whose schema its JSON has; none where it is a part of an answer. */
const readings = [
  ['issues list', 'issues.list'],
  ['issues list --limit 2', 'issues.list'],
  ['issues list --status Open --search wrong --since 2d', 'issues.list'],
  ['issues stats --period weekly', 'issues.list'],
  ['issues trend', 'issues.trend'],
  ['conversations list', 'conversations.list'],
  ['conversations list --unread --limit 1', 'conversations.list'],
  ['conversations show conv_of_ada', 'messages.list'],
  ['conversations show conv_of_ada --limit 1', 'messages.list'],
  ['issues show 1', undefined],
  ['settings list', 'settings.show'],
  ['settings get site', undefined],
  ['admins list', 'admins.list'],
  ['admins list --page 2 --limit 1', 'admins.list'],
  ['usage show', undefined],
  ['usage alerts', undefined],
  ['usage prices list', undefined],
  ['usage budget show', undefined],
  ['scraping show', undefined],
  ['scraping runs', 'scrapingRuns.list'],
  ['scraping errors', undefined],
  ['sessions list', 'sessions.list'],
  ['audit list', 'audit.list'],
  ['audit list --event admin.created --search grace --limit 1', 'audit.list'],
  ['webhooks list', 'webhooks.list'],
  ['webhooks deliveries', 'webhooks.deliveries'],
  ['webhooks deliveries --status failed --limit 1', 'webhooks.deliveries'],
] as const;

describe('straight on the database and through a server', () => {
  let service: TestService;
  const tokens = new Map<Role, string>();

  beforeAll(async () => {
    service = await startTestService();
    const { client } = await service.signIn('superadmin', 'grace@example.com');
    await service.signIn('user', 'ada@example.com');
    for (const title of ['Something is wrong', 'Something is wrong 100 %', 'Well \u001b[31mred']) {
      await client.call('issues.create', { title, severity: 'High' });
    }
    for (const visitor_name of ['Ada', 'Grace']) {
      await client.call('conversations.create', {
        visitor_email: 'visitor@example.com',
        visitor_name,
        initial_message: visitor_name === 'Ada' ? 'Hello?' : '',
      });
    }
    await withClient(service.databaseUrl, async (database) => {
      await database.query(`
        insert into conversations (id, visitor_email, visitor_name) values ('conv_of_ada', 'a@example.com', 'Ada');
        insert into conversation_messages (conversation_id, sender_type, content, ai_draft)
        values ('conv_of_ada', 'visitor', 'Hello? \u001b[31m', null), ('conv_of_ada', 'visitor', 'Hm', 'Hello!')
      `);
    });
    await client.call('links.create', { issue_id: 1, conversation_id: 'conv_of_ada' });
    await client.call('settings.update', {
      updates: { site: 'Ünïcode 🎉', ['__proto__']: 'a key like any other' },
    });
    for (const role of ['superadmin', 'user'] as const) {
      const token = { name: role, role, createdBy: 'tests', expiresAt: null };
      tokens.set(role, (await createApiToken(service.services.databases.primary, token)).secret);
    }
  });

  afterAll(async () => {
    await service.stop();
  });

  const locally = (args: string[], stdin = '') =>
    backoffice(args, { stdin, env: { DATABASE_URL: service.databaseUrl } });
  const remotely = (args: string[], role: Role = 'superadmin', stdin = '') =>
    backoffice(args, {
      stdin,
      env: { BACKOFFICE_SERVER: service.url, BACKOFFICE_TOKEN: tokens.get(role) ?? '' },
    });

  test.each(readings)(
    '`%s` gives the same JSON, of the schema, and shows it to people',
    async (words, id) => {
      const args = words.split(' ');
      const [local, remote, shown] = await Promise.all([
        locally([...args, '--json']),
        remotely([...args, '--json']),
        remotely(args),
      ]);
      expect(local).toMatchObject({ code: 0 });
      expect(remote).toEqual(local);
      expect(shown).toMatchObject({ code: 0 });
      const document: unknown = JSON.parse(local.stdout);
      if (id !== undefined) expect(operationOf(id).output.safeParse(document).error).toBeUndefined();
    },
  );

  test.each([
    'issues list --csv',
    'conversations list --csv',
    'admins list --csv',
    'sessions list --csv',
    'audit list --csv',
    'issues list --json id,title',
    'settings export',
  ])('`%s` gives the same bytes', async (words) => {
    const [local, remote] = await Promise.all([locally(words.split(' ')), remotely(words.split(' '))]);
    expect(local).toMatchObject({ code: 0, stderr: '' });
    expect(remote).toEqual(local);
    expect(local.stdout.length).toBeGreaterThan(10);
  });

  test('a change through the server is seen on the database', async () => {
    expect(await remotely(['issues', 'create', 'Remote one', '--severity', 'Low'])).toMatchObject({
      code: 0,
    });
    const { stdout } = await locally(['issues', 'list', '--search', 'remote one', '--json', 'id,title']);
    const [{ id }] = JSON.parse(stdout).issues;
    expect(await remotely(['issues', 'set-status', String(id), 'Closed'])).toMatchObject({
      code: 0,
      stdout: `Issue ${id} is Closed.\n`,
    });
  });

  test('a server that does not know the token is a 4, and says what to do', async () => {
    const { code, stdout, stderr } = await backoffice(['issues', 'list'], {
      env: { BACKOFFICE_SERVER: service.url, BACKOFFICE_TOKEN: 'bo_unknown' },
    });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^backoffice: [^\n]*BACKOFFICE_TOKEN[^\n]*\n$/);
  });

  test('a role that does not suffice is a 4, with the words of the server', async () => {
    const args = ['admins', 'create', '--email', 'new@example.com', '--password-stdin'];
    expect(await remotely(args, 'user', 'long enough')).toEqual({
      code: 4,
      stdout: '',
      stderr: 'backoffice: Insufficient permissions.\n',
    });
  });

  test('an e-mail that is taken is a 1, both ways', async () => {
    const args = ['admins', 'create', '--email', 'grace@example.com', '--password-stdin'];
    const refused = { code: 1, stdout: '', stderr: 'backoffice: An admin with this email already exists.\n' };
    expect(await remotely(args, 'superadmin', 'long enough')).toEqual(refused);
    expect(await locally(args, 'long enough')).toEqual(refused);
  });

  test('a server that is not there is a 4', async () => {
    const { code, stderr } = await backoffice(['issues', 'list', '--server', 'http://127.0.0.1:1']);
    expect(code).toBe(4);
    expect(stderr).toBe(
      'backoffice: http://127.0.0.1:1 cannot be reached. Check --server or BACKOFFICE_SERVER.\n',
    );
  });

  test.each(['backoffice.example.com', 'ftp://backoffice.example.com', ''])(
    'the server "%s" is a 2',
    async (server) => {
      const { code, stderr } = await backoffice(['issues', 'list', '--server', server]);
      expect(code).toBe(2);
      expect(stderr).toContain('It takes an address such as https://backoffice.example.com.');
    },
  );

  test.each([
    'tokens list',
    'migrate status',
    'issues recount',
    'usage recompute',
    'audit purge',
    'seed',
    'serve',
    'up',
  ])('`%s` refuses to work through a server, rather than on another database', async (words) => {
    expect(await remotely(words.split(' '))).toEqual({
      code: 2,
      stdout: '',
      stderr: `backoffice: Leave out --server and BACKOFFICE_SERVER: backoffice ${words} works on the database itself.\n`,
    });
  });
});
