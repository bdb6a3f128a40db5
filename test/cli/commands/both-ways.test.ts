import { createServer } from 'node:http';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createProgram } from '../../../cli/program.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { operationOf } from '../../../src/contract/registry.ts';
import { withClient } from '../../support/postgres/server.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { everyCommand, operationsOf } from '../../support/run/every-command.ts';
import { commandsHere, containing, failed, failedLike, runIn, ways } from '../commands-here.ts';

/** The arguments of reading commands that need some, and of those that are run several times. */
const variants: Readonly<Record<string, readonly string[]>> = {
  'issues list': [
    ...['', '--limit 2', '--assignee ada@example.com --include assignee'],
    '--status Open --search wrong --since 2d',
  ],
  'issues show': ['1'],
  'issues history': ['1'],
  'issues stats': ['--period weekly'],
  'conversations list': ['', '--assignee none --include assignee', '--unread --limit 1'],
  'conversations show': ['conv_of_ada', 'conv_of_ada --limit 1'],
  'conversations history': ['conv_of_ada --limit 1'],
  'labels list': ['', '--search bill'],
  'comments list': ['--issue 1', '--conversation conv_of_ada --limit 1'],
  'saved-replies list': ['--search parcel'],
  'saved-replies show': ['ON-ITS-WAY'],
  'settings get': ['site'],
  'admins list': ['', '--limit 1'],
  'admins factors': ['ada@example.com'],
  'audit list': ['', '--event admin.created --search grace --limit 1'],
  'tokens list': ['', '--search tests'],
  'usage show': ['--month 2026-02'],
  'scraping show': ['--month 2026-02'],
  'scraping errors': ['--run none --limit 1'],
  'visitors export': ['visitor@example.com'],
  'webhooks deliveries': ['--status failed --limit 1'],
};

/** Reading commands whose JSON is not the answer of their operation, but made from parts of one or several. */
const ownDocuments = [
  ...['saved-replies show', 'issues show', 'settings get', 'settings export', 'usage show', 'usage alerts'],
  ...['usage prices list', 'usage budget show', 'scraping show', 'scraping errors', 'audit verify'],
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

const here = commandsHere();
const locally = here.run;
const remotely = runIn(() => here.env('through a server'));

beforeAll(async () => {
  const { client, sql } = here;
  const ada = await here.service.signIn('user', 'ada@example.com');
  for (const title of ['Something is wrong', 'Something is wrong 100 %', 'Well \u001b[31mred'])
    await client.call('issues.create', { title, severity: 'High' });
  const visitor = { visitor_email: 'visitor@example.com', visitor_name: 'Ada' };
  await client.call('conversations.create', { ...visitor, initial_message: 'Hello?' });
  await sql(`
    insert into conversations (id, visitor_email, visitor_name) values ('conv_of_ada', 'a@example.com', 'Ada');
    insert into conversation_messages (conversation_id, sender_type, content, ai_draft)
    values ('conv_of_ada', 'visitor', 'Hello? \u001b[31m', null), ('conv_of_ada', 'visitor', 'Hm', 'Hello!')
  `);
  for (const subject of [{ issue_id: 1 }, { conversation_id: 'conv_of_ada' }])
    await client.call('comments.create', { ...subject, content: 'A note \u001b[31m' });
  await client.call('savedReplies.create', { shortcut: 'on-its-way', title: 'Parcel', content: 'It is.' });
  await client.call('issues.changeStatus', { id: 1, status: 'In Progress' });
  await client.call('issues.update', { ids: [1], set: { assignee_id: ada.id } });
  const set = { status: 'pending', read: true } as const;
  await client.call('conversations.update', { ids: ['conv_of_ada'], set });
  await client.call('links.create', { issue_id: 1, conversation_id: 'conv_of_ada' });
  const updates = { site: 'Ünïcode 🎉', ['__proto__']: 'a key like any other' };
  await client.call('settings.update', { updates });
});

test.each(readings)(
  '`$words` prints the same JSON both ways, and a text for people',
  async ({ words, takes, isIncomplete, json, schema }) => {
    if (isIncomplete) expect.fail(`Add a value for ${takes.join(', ')} of \`${words}\` to \`variants\`.`);
    const [local, remote, shown] = await Promise.all([
      locally(words, ...json),
      remotely(words, ...json),
      remotely(words),
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
    const [local, remote] = await Promise.all([locally(words), remotely(words)]);
    expect(local).toMatchObject({ code: 0, stderr: '' });
    expect(remote).toEqual(local);
    if (!withoutRows.some((name) => words.startsWith(name))) expect(local.stdout.length).toBeGreaterThan(10);
  },
);

test('shows a change through the server on the database', async () => {
  expect(await remotely('issues create --severity Low', 'Remote one')).toMatchObject({ code: 0 });
  const { issues } = await here.printed('issues list --json id,title --search', 'remote one');
  expect(issues).toMatchObject([{ title: 'Remote one' }]);
  const closed = { code: 0, stdout: `Issue ${issues[0].id} is Closed.\n` };
  expect(await remotely(`issues set-status ${issues[0].id} Closed`)).toMatchObject(closed);
});

test("ends with 4 for an unknown token and an insufficient role, and with 1 for a conflict, in the server's words", async () => {
  const env = await here.envOf('user');
  const unknown = await runIn(() => ({ ...env, BACKOFFICE_TOKEN: 'bo_unknown' }))('issues list');
  expect(unknown).toMatchObject(failedLike(4, /^backoffice: [^\n]*BACKOFFICE_TOKEN[^\n]*\n$/));
  const create = 'admins create --password-stdin --email grace@example.com';
  expect(await runIn(() => env, 'long enough')(create)).toEqual(failed(4, 'Insufficient permissions.'));
  const taken = failed(1, 'An admin with this email already exists.');
  for (const way of ways) expect(await runIn(() => here.env(way), 'long enough')(create)).toEqual(taken);
});

const form = 'Must be an address such as https://backoffice.example.com.';
test.each([
  ['http://127.0.0.1:1', 4, 'Cannot reach http://127.0.0.1:1. Check the address,'],
  ['backoffice.example.com', 2, form],
  ['ftp://backoffice.example.com', 2, form],
  ['', 2, form],
])('with the server address "%s", ends with %i', async (server, code, sentence) => {
  expect(await runIn(() => ({}))('issues list --server', server)).toEqual(failedLike(code, sentence));
});

test('gives up on a request after --timeout, of a server or of the database, and of a list as data too', async () => {
  const silent = createServer(() => {});
  const url = `http://127.0.0.1:${await listenOnLoopback(silent)}`;
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  await withClient(here.service.databaseUrl, async (database) => {
    await database.query('begin; lock table issues in access exclusive mode');
    const end = async (who: string, words: string, [before, after]: readonly [string, string]) => {
      const error = `${who} did not answer within 1 s. Check that it is running, or allow more time with --timeout.`;
      const stderr = `${before}${error}${after}\n`;
      expect(await locally(`${words} --timeout 1s`), words).toEqual({ code: 4, stdout: '', stderr });
    };
    const inText = ['backoffice: ', ''] as const;
    const inJson = ['{"error":"', '","code":"not_connected"}'] as const;
    await Promise.all([
      end('The database', 'issues create Late', inText),
      end('The database', 'issues list --json', inJson),
      end(url, `issues create Late --server ${url}`, inText),
      end(url, `issues list --json --server ${url}`, inJson),
    ]);
  });
  await here.fails(2, 'issues list --timeout 30', containing('90s, 5m, 2h'));
});

test.each(['migrate status', 'recompute', 'issues recount', 'seed', 'serve', 'up'])(
  '`%s` refuses to run with a server, because it would work on another database',
  async (words) => {
    const sentence = `backoffice ${words} works on the database only. Remove --server and --context, and unset BACKOFFICE_SERVER and BACKOFFICE_CONTEXT.`;
    expect(await remotely(words)).toEqual(failed(2, sentence));
  },
);

test.each(['migrate status', 'recompute', 'seed', 'serve', 'up', 'doctor'])(
  '`%s` refuses a time limit, because it would ignore it',
  async (words) => {
    const sentence = `backoffice ${words} works on the database without a time limit. Remove --timeout.`;
    expect(await locally(`${words} --timeout 5s`)).toEqual(failed(2, sentence));
  },
);
