import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { callTool, connectAgent, errorOf } from '../../support/here/requests.ts';
import { listenBefore } from '../../support/receivers/listen.ts';
import { backoffice as ownProcess, startBackoffice } from '../../support/run/process.ts';
import { checksOf, commandsHere, containing, runIn, type Way, ways } from '../commands-here.ts';

const here = commandsHere();

describe('backoffice events', () => {
  const report = (title: string) => here.client.call('issues.create', { title, severity: 'High' });

  beforeAll(() => report('Evil \u001b[2J title'));

  test('tail shows the same on the database and through a server', async () => {
    for (const [format, line] of [
      ['', /./],
      [' --json id,type', /^\{"id":\d+,"type":"[\w.]+"\}$/],
    ] as const) {
      const words = `events tail --since-id 0 --limit 4${format}`;
      const [local, remote] = await Promise.all(ways.map((way) => runIn(() => here.env(way))(words)));
      expect(local).toMatchObject({ code: 0, stderr: 'Following events. Press Ctrl-C to stop.\n' });
      expect(remote).toEqual(local);
      const lines = local?.stdout.trimEnd().split('\n') ?? [];
      expect(lines).toEqual(Array(4).fill(expect.stringMatching(line)));
      if (format === '') expect(local?.stdout).toContain('Evil \uFFFD[2J title');
    }
  });

  test('list shows the latest, newest first', async () => {
    const latest = /^\S+ {2}issue\.created {13}\d+ .*title: Evil .* title, .*\n$/;
    await here.succeeds('events list --limit 1 --types issue.created', latest);
    await here.succeeds('events list --types comment.created', '', 'No events.');
  });

  const tail = (way: Way, words: string) =>
    startBackoffice(['events', 'tail', ...words.split(' ')], { env: here.env(way) });

  test.each(ways)(
    'tail reports an id that is not available, and shows each event as a line for people as it happens, until Ctrl-C, %s',
    async (way) => {
      const command = tail(way, '--since-id 999999 --types issue.created');
      await command.shows(
        /Events up to \d+ are not available: they were deleted, or the database was restored/,
      );
      await report('Nothing works');
      await command.shows(/Nothing works/);
      const { code, stdout } = await command.stop('SIGINT');
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}issue\.created {13}\d+ +grace@example\.com {2}title: Nothing works, .*severity: High\n$/,
      );
    },
  );

  test.each(ways)('tail lists the known types, %s', async (way) => {
    const { fails } = checksOf(runIn(() => here.env(way)));
    const types = /^backoffice: types must be event types separated by commas: issue\.created/;
    await fails(2, 'events tail --types issue.exploded', types);
  });

  test('tail ends after the given time, not after that of requests, and when the reader of its output leaves', async () => {
    // The time runs from the start of the process, so on a slow machine it may end before it connects.
    const timed = tail('through a server', '--for 2s --timeout 1s');
    const command = tail('on the database', '--types issue.created');
    await command.shows(/Following events/);
    command.process.stdout?.destroy();
    await report('Unread');
    expect((await command.finished).code).toBe(0);
    expect((await timed.finished).code).toBe(0);
  });

  test('tail reports a lost connection and continues where it was', async () => {
    const database = await listenBefore(here.service.databaseUrl);
    onTestFinished(database.close);
    const command = startBackoffice(['events', 'tail', '--json', 'data'], {
      env: { DATABASE_URL: database.url },
    });
    await command.shows(/Following/);
    database.cut();
    await command.shows(/lost/);
    await report('Meanwhile');
    database.mend();
    await command.shows(/Reconnected/);
    await command.shows(/Meanwhile/);
    expect(await command.stop('SIGINT')).toMatchObject({
      code: 0,
      stderr: 'Following events. Press Ctrl-C to stop.\nConnection lost. Reconnecting.\nReconnected.\n',
    });
  });

  test('tail starts with what happened since a time, far back too, and says what is not kept any more', async () => {
    await here.sql(`
      update events set created_at = created_at - interval '4 hours';
      insert into events (type, subject_id, actor, created_at, data)
      select type, subject_id, actor, now() - case when n <= 700 then interval '3 hours' else interval '5 minutes' end, data
      from generate_series(1, 1000) as n, lateral (select * from events where type = 'issue.created' limit 1) as event;
    `);
    const [bounds] = await here.sql('select max(id) - 300 as before from events');
    const first = Number(bounds?.before) + 1;
    const recent = Array.from({ length: 300 }, (_, index) => `{"id":${first + index}}\n`).join('');
    const expectRecent = async () => {
      for (const way of ways) {
        const found = await runIn(() => here.env(way))('events tail --since 1h --limit 300 --json id');
        expect(found).toEqual({
          code: 0,
          stdout: recent,
          stderr: expect.stringMatching(/^Following events\.[^\n]*\n$/),
        });
      }
    };
    await expectRecent();
    await here.sql(`delete from events where id < ${first - 1}`);
    await expectRecent();
    const gone = `Events up to ${first - 2} are not available`;
    await here.succeeds('events tail --since 2d --limit 1', undefined, containing(gone));
    await here.fails(2, 'events tail --since 1h --since-id 1', containing('cannot be used with'));
  });

  test('tail ends with 4 if the server was never reachable', () =>
    here.fails(4, 'events tail --server http://127.0.0.1:1', /Cannot reach http:\/\/127\.0\.0\.1:1\./));
});

describe('backoffice mcp', () => {
  /** Starts the command as an agent does. */
  const start = (args: readonly string[], env: Record<string, string>) =>
    connectAgent(
      new StdioClientTransport({
        command: process.execPath,
        args: ['bin/backoffice.js', 'mcp', ...args],
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
        stderr: 'pipe',
      }),
    );

  test('on the database: calls tools, and changes what is allowed', async () => {
    const env = here.env('on the database');
    const writer = await start(['--allow', 'issues.create,comments.create'], env);
    const created = await callTool(writer, 'issues_create', { title: 'Broken' });
    const { id } = created.structuredContent as { id: number };
    const issues = [{ id, title: 'Broken' }];
    expect((await callTool(writer, 'issues_list', { id })).structuredContent).toMatchObject({ issues });
    await writer.close();
    const { audit } = await here.client.call('audit.list', { door: 'mcp' });
    const record = { operation: 'issues.create', subject_id: String(id), actor_kind: 'operator' };
    expect(audit).toMatchObject([record]);
  });

  test('through a server: has the rights of its token', async () => {
    const agent = await start(['--allow', 'admins.create'], await here.envOf('user'));
    expect((await callTool(agent, 'issues_list')).structuredContent).toHaveProperty('issues');
    const refused = await callTool(agent, 'admins_create', { email: 'a@b.c', password: '123456' });
    expect(errorOf(refused)).toBe('Insufficient permissions.');
    await agent.close();
  });

  test('answers what it was sent before the input ends, changes nothing by default, then exits', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '0' },
    };
    const stdin = [
      { id: 1, method: 'initialize', params },
      { id: 2, method: 'tools/call', params: { name: 'webhooks_list', arguments: {} } },
      { id: 3, method: 'tools/list' },
      { id: 4, method: 'tools/call', params: { name: 'issues_create', arguments: { title: 'Broken' } } },
    ]
      .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      .join(`not JSON\n{"jsonrpc":"2.0","id":${2 ** 53},"method":"ping"}\n`);
    const { code, stdout } = await ownProcess(['mcp'], { stdin, env: here.env('on the database') });
    expect(code).toBe(0);
    const all = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const refused = all.filter(({ id }) => id === null).map(({ error }) => error.code);
    expect(refused).toEqual([-32700, -32600, -32700, -32600, -32700, -32600]);
    const answers = all.filter(({ id }) => id !== null).toSorted((one, other) => one.id - other.id);
    expect(answers).toMatchObject([
      { id: 1 },
      { id: 2, result: { structuredContent: { webhooks: [] } } },
      { id: 3 },
      { id: 4 },
    ]);
    for (const { annotations } of answers[2].result.tools) expect(annotations.readOnlyHint).toBe(true);
    expect(errorOf(answers[3].result)).toBe(
      'issues.create is not allowed to agents. Restart `backoffice mcp` with --allow issues.create.',
    );
  });

  test('refuses to allow what is no operation, and what is no tool', async () => {
    const unknown = 'there is no operation issues.updat. Did you mean issues.update?';
    await here.fails(2, 'mcp --allow issues.updat', `--allow is wrong: ${unknown}`);
    await here.fails(2, 'mcp --allow session.create', '--allow is wrong: session.create cannot be a tool.');
  });
});
