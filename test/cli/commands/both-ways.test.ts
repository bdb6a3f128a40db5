import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationsOf } from '../../../cli/access/operations.ts';
import { createProgram } from '../../../cli/program.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { operationOf } from '../../../src/contract/registry.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { everyCommand } from '../../support/run/every-command.ts';
import { backoffice } from '../../support/run.ts';

/** The arguments of reading commands that need some, and of those that are run several times. */
const variants: Readonly<Record<string, readonly string[]>> = {
  'issues list': [
    '',
    '--assignee ada@example.com --include assignee',
    '--limit 2',
    '--status Open --search wrong --since 2d',
  ],
  'issues show': ['1'],
  'issues history': ['1'],
  'issues stats': ['--period weekly'],
  'conversations list': ['', '--assignee none --include assignee', '--unread --limit 1'],
  'conversations show': ['conv_of_ada', 'conv_of_ada --limit 1'],
  'conversations history': ['conv_of_ada', 'conv_of_ada --limit 1'],
  'labels list': ['', '--search bill'],
  'comments list': ['--issue 1', '--conversation conv_of_ada --limit 1'],
  'saved-replies list': ['', '--search parcel'],
  'saved-replies show': ['ON-ITS-WAY'],
  'settings get': ['site'],
  'admins list': ['', '--page 2 --limit 1'],
  'admins factors': ['ada@example.com'],
  'audit list': ['', '--event admin.created --search grace --limit 1'],
  'audit verify': [''],
  'tokens list': ['', '--search tests'],
  'usage show': ['', '--month 2026-02'],
  'scraping show': ['', '--month 2026-02'],
  'scraping errors': ['', '--run none --limit 1'],
  'visitors export': ['visitor@example.com'],
  'webhooks deliveries': ['', '--status failed --limit 1'],
};

/** Reading commands whose JSON is not the answer of their operation, but made from parts of one or several. */
const ownDocuments = [
  'saved-replies show',
  'issues show',
  'settings get',
  'settings export',
  'usage show',
  'usage alerts',
  'usage prices list',
  'usage budget show',
  'scraping show',
  'scraping errors',
  'audit verify',
];

/** Commands whose answer says which way they go. */
const sayWhere = ['whoami'];

/** Reading commands that change something only with an option. */
const readsByDefault = ['conversations show'];

/** The commands that run only operations which read and answer with one document, with their arguments. */
const readings = everyCommand(await createProgram()).flatMap(([name, command]) => {
  const ids = operationsOf(command);
  const onlyReads = ids
    .map((id): Operation => operationOf(id))
    .every(({ changes, answers }) => changes === undefined && answers !== 'events');
  if (ids.length === 0 || sayWhere.includes(name) || !(onlyReads || readsByDefault.includes(name))) return [];
  return (variants[name] ?? ['']).map((args) => ({
    words: `${name} ${args}`.trim(),
    takes: command.registeredArguments.filter(({ required }) => required).map((each) => each.name()),
    isIncomplete: args === '' && command.registeredArguments.some(({ required }) => required),
    csv: command.options.some(({ long }) => long === '--csv'),
    json: command.options.some(({ long }) => long === '--json') ? ['--json'] : [],
    schema: ownDocuments.includes(name) || ids[0] === undefined ? undefined : operationOf(ids[0]).output,
  }));
});

/** The lists of which the service under test has no rows. */
const withoutRows = ['scraping', 'webhooks', 'invitations', 'admins factors'];

/** The lists that are also spreadsheets. */
const withCsv = new Set(readings.filter(({ csv }) => csv).map(({ words }) => `${words} --csv`));

describe('on the database and through a server', () => {
  let service: TestService;
  const tokens = new Map<Role, string>();

  beforeAll(async () => {
    service = await startTestService();
    const { client } = await service.signIn('superadmin', 'grace@example.com');
    const ada = await service.signIn('user', 'ada@example.com');
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
    for (const subject of [{ issue_id: 1 }, { conversation_id: 'conv_of_ada' }]) {
      await client.call('comments.create', { ...subject, content: 'A note \u001b[31m' });
    }
    await client.call('savedReplies.create', { shortcut: 'on-its-way', title: 'Parcel', content: 'It is.' });
    await client.call('issues.changeStatus', { id: 1, status: 'In Progress' });
    await client.call('issues.update', { ids: [1], set: { assignee_id: ada.id } });
    await client.call('conversations.update', {
      ids: ['conv_of_ada'],
      set: { status: 'pending', read: true },
    });
    await client.call('links.create', { issue_id: 1, conversation_id: 'conv_of_ada' });
    await client.call('settings.update', {
      updates: { site: 'Ünïcode 🎉', ['__proto__']: 'a key like any other' },
    });
    for (const role of ['superadmin', 'user'] as const) {
      tokens.set(role, (await service.createToken(role)).secret);
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
    '`$words` prints the same JSON both ways, and a text for people',
    async ({ words, takes, isIncomplete, json, schema }) => {
      if (isIncomplete) expect.fail(`Add a value for ${takes.join(', ')} of \`${words}\` to \`variants\`.`);
      const args = words.split(' ');
      const [local, remote, shown] = await Promise.all([
        locally([...args, ...json]),
        remotely([...args, ...json]),
        remotely(args),
      ]);
      expect(local).toMatchObject({ code: 0 });
      expect(remote).toEqual(local);
      expect(shown).toMatchObject({ code: 0 });
      const document: unknown = JSON.parse(local.stdout);
      if (schema !== undefined) expect(schema.safeParse(document).error).toBeUndefined();
    },
  );

  test.each([...withCsv, 'issues list --json id,title'])(
    '`%s` prints the same bytes both ways',
    async (words) => {
      const [local, remote] = await Promise.all([locally(words.split(' ')), remotely(words.split(' '))]);
      expect(local).toMatchObject({ code: 0, stderr: '' });
      expect(remote).toEqual(local);
      if (!withoutRows.some((name) => words.startsWith(name)))
        expect(local.stdout.length).toBeGreaterThan(10);
    },
  );

  test('shows a change through the server on the database', async () => {
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

  test('ends with 4 for an unknown token, and says what to do', async () => {
    const { code, stdout, stderr } = await backoffice(['issues', 'list'], {
      env: { BACKOFFICE_SERVER: service.url, BACKOFFICE_TOKEN: 'bo_unknown' },
    });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^backoffice: [^\n]*BACKOFFICE_TOKEN[^\n]*\n$/);
  });

  test("ends with 4 for an insufficient role, with the server's message", async () => {
    const args = ['admins', 'create', '--email', 'new@example.com', '--password-stdin'];
    expect(await remotely(args, 'user', 'long enough')).toEqual({
      code: 4,
      stdout: '',
      stderr: 'backoffice: Insufficient permissions.\n',
    });
  });

  test('ends with 1 for an e-mail that is taken, both ways', async () => {
    const args = ['admins', 'create', '--email', 'grace@example.com', '--password-stdin'];
    const refused = { code: 1, stdout: '', stderr: 'backoffice: An admin with this email already exists.\n' };
    expect(await remotely(args, 'superadmin', 'long enough')).toEqual(refused);
    expect(await locally(args, 'long enough')).toEqual(refused);
  });

  test('ends with 4 if the server is unreachable', async () => {
    const { code, stderr } = await backoffice(['issues', 'list', '--server', 'http://127.0.0.1:1']);
    expect(code).toBe(4);
    expect(stderr).toBe(
      'backoffice: Cannot reach http://127.0.0.1:1. Check the address, and that the server is running.\n',
    );
  });

  test.each(['backoffice.example.com', 'ftp://backoffice.example.com', ''])(
    'ends with 2 for the server address "%s"',
    async (server) => {
      const { code, stderr } = await backoffice(['issues', 'list', '--server', server]);
      expect(code).toBe(2);
      expect(stderr).toContain('Must be an address such as https://backoffice.example.com.');
    },
  );

  test.each([
    'migrate status',
    'issues recount',
    'conversations recompute',
    'usage recompute',
    'audit purge',
    'seed',
    'serve',
    'up',
  ])('`%s` refuses to run with a server, because it would work on another database', async (words) => {
    expect(await remotely(words.split(' '))).toEqual({
      code: 2,
      stdout: '',
      stderr: `backoffice: backoffice ${words} works on the database only. Remove --server and --context, and unset BACKOFFICE_SERVER and BACKOFFICE_CONTEXT.\n`,
    });
  });
});
