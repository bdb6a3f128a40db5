import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount } from '../../support/here/accounts.ts';
import { startTestService, type TestService } from '../../support/here.ts';
import { type ControlledPostgres, controlledPostgres } from '../../support/postgres/control.ts';
import { type RunningCommand, startBackoffice } from '../../support/run/process.ts';
import { serveProcess } from '../../support/run/server.ts';
import { backoffice } from '../../support/run.ts';

describe('backoffice events', () => {
  let service: TestService;
  let doors: Record<string, Record<string, string>>;
  let report: (title: string) => Promise<unknown>;

  beforeAll(async () => {
    service = await startTestService();
    const { client } = await service.signIn('superadmin', 'grace@example.com');
    report = (title) => client.call('issues.create', { title, severity: 'High' });
    const { secret } = await service.createToken('superadmin');
    doors = {
      'on the database': { DATABASE_URL: service.databaseUrl },
      'through a server': { BACKOFFICE_SERVER: service.url, BACKOFFICE_TOKEN: secret },
    };
    await report('Evil \u001b[2J title');
  });

  afterAll(() => service?.stop());

  /** Starts to follow events. Resolves once it is connected. */
  async function tail(args: readonly string[], env: Record<string, string> = {}): Promise<RunningCommand> {
    const command = startBackoffice(['events', 'tail', ...args], { env });
    await command.shows(/Following events/);
    return command;
  }

  test('shows the same on the database and through a server', async () => {
    for (const format of [[], ['--json'], ['--json', 'id,type']]) {
      const args = ['events', 'tail', '--since-id', '0', '--limit', '4', ...format];
      const [local, remote] = await Promise.all(Object.values(doors).map((env) => backoffice(args, { env })));
      expect(local).toMatchObject({ code: 0, stderr: 'Following events. Press Ctrl-C to stop.\n' });
      expect(remote).toEqual(local);
      expect(local?.stdout.trimEnd().split('\n')).toHaveLength(4);
    }
  });

  test('list shows the latest, newest first', async () => {
    const args = ['events', 'list', '--limit', '1', '--types', 'issue.created'];
    for (const env of Object.values(doors)) {
      const { stdout } = await backoffice(args, { env });
      expect(stdout).toMatch(/^\S+ {2}issue\.created {9}\d+ .*title: Evil .* title, .*\n$/);
      const none = await backoffice(['events', 'list', '--types', 'comment.created'], { env });
      expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'No events.\n' });
    }
  });

  describe.each(['on the database', 'through a server'])('%s', (door) => {
    test('shows each event as a line for people as it happens, until Ctrl-C', async () => {
      const command = await tail(['--types', 'issue.created'], doors[door]);
      await report('Nothing works');
      await command.shows(/Nothing works/);
      const { code, stdout } = await command.stop('SIGINT');
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}issue\.created {9}\d+ +grace@example\.com {2}title: Nothing works, .*severity: High\n$/,
      );
    });

    test('prints one object per line with --json, with only the given fields', async () => {
      const command = await tail(
        ['--json', 'type,data', '--limit', '2', '--types', 'issue.created'],
        doors[door],
      );
      await report('One');
      await report('Two');
      const { code, stdout } = await command.finished;
      expect(code).toBe(0);
      const lines = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines).toEqual(
        ['One', 'Two'].map((title) => ({ type: 'issue.created', data: expect.objectContaining({ title }) })),
      );
    });

    test('ends after the given time', async () => {
      // The time runs from the start of the process, so on a slow machine it may end before it connects.
      const command = startBackoffice(['events', 'tail', '--for', '1s'], { env: doors[door] ?? {} });
      expect(await command.finished).toMatchObject({ code: 0, stdout: '' });
    });

    test('ends when the reader of its output leaves', async () => {
      const command = await tail([], doors[door]);
      command.process.stdout?.destroy();
      await report('Unread');
      expect((await command.finished).code).toBe(0);
    });

    test('lists the known types, and reports an id that is not available', async () => {
      const wrong = await backoffice(['events', 'tail', '--types', 'issue.exploded'], {
        env: doors[door] ?? {},
      });
      expect(wrong).toMatchObject({ code: 2, stdout: '' });
      expect(wrong.stderr).toMatch(
        /^backoffice: types must be event types separated by commas: issue\.created/,
      );
      const command = startBackoffice(['events', 'tail', '--since-id', '999999'], { env: doors[door] ?? {} });
      await command.shows(
        /Events up to \d+ are not available: they were deleted, or the database was restored/,
      );
      expect((await command.stop('SIGINT')).code).toBe(0);
    });
  });

  test('replaces control characters in texts', async () => {
    const env = doors['on the database'] ?? {};
    const { stdout } = await backoffice(['events', 'tail', '--since-id', '0', '--limit', '4'], { env });
    expect(stdout).toContain('Evil \uFFFD[2J title');
  });
});

describe('backoffice events tail with a lost connection', () => {
  let postgres: ControlledPostgres;
  const loss = 'Following events. Press Ctrl-C to stop.\nConnection lost. Reconnecting.\nReconnected.\n';

  beforeAll(async () => {
    postgres = await controlledPostgres();
  });

  afterAll(() => postgres.remove());

  test('reports it and continues where it was, on the database', async () => {
    const env = { DATABASE_URL: postgres.url };
    const command = startBackoffice(['events', 'tail', '--json', 'data'], { env });
    await command.shows(/Following/);
    await postgres.stop();
    await command.shows(/lost/);
    await postgres.start();
    await backoffice(['issues', 'create', 'Meanwhile'], { env });
    await command.shows(/Reconnected/);
    await command.shows(/Meanwhile/);
    expect(await command.stop('SIGINT')).toMatchObject({ code: 0, stderr: loss });
  });

  test('reports it and continues where it was, with the next server', async () => {
    await addAccount(postgres.url);
    const made = await backoffice(['tokens', 'create', '--name', 'tail', '--role', 'superadmin'], {
      env: { DATABASE_URL: postgres.url },
    });
    const first = await serveProcess(postgres.url);
    const { port: PORT } = new URL(first.url);
    const env = { BACKOFFICE_SERVER: first.url, BACKOFFICE_TOKEN: made.stdout.trim() };
    const command = startBackoffice(['events', 'tail', '--json', 'data'], { env });
    await command.shows(/Following/);
    await first.command.stop('SIGKILL');
    await command.shows(/lost/);
    await backoffice(['issues', 'create', 'Without a server'], { env: { DATABASE_URL: postgres.url } });
    const second = await serveProcess(postgres.url, { PORT });
    await command.shows(/Without a server/);
    expect(await command.stop('SIGINT')).toMatchObject({ code: 0, stderr: loss });
    expect((await second.command.stop()).code).toBe(0);
  });

  test('ends with 4 if the server was never reachable', async () => {
    const nowhere = await backoffice(['events', 'tail', '--server', 'http://127.0.0.1:1']);
    expect(nowhere).toMatchObject({ code: 4, stdout: '' });
    expect(nowhere.stderr).toContain('Cannot reach http://127.0.0.1:1.');
  });
});
