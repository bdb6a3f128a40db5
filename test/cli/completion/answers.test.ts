import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suggest } from '../../../cli/completion/suggest.ts';
import { createProgram } from '../../../cli/program.ts';
import { startTestService, type TestService } from '../../support/here.ts';
import { runningPid, startMember, temporaryDataDirectory } from '../../support/postgres/embedded.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { backoffice as runInProcess, suggestWords } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';

describe('completion', () => {
  /** Asks as a completion script does. Returns the lines of the answer. */
  async function suggest(args: string[], env: Record<string, string>): Promise<string[]> {
    const { code, stdout, stderr } = await backoffice([...suggestWords, ...args], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.replace(/\n$/, '').split('\n');
  }

  async function expectAnswer(args: string[], env: Record<string, string>, lines: string[]): Promise<void> {
    expect(await suggest(args, env)).toEqual(['values', ...lines]);
  }

  describe('answers to completion scripts', () => {
    let service: TestService;
    let env: Record<string, string>;
    let conversation: string;

    beforeAll(async () => {
      service = await startTestService();
      env = { DATABASE_URL: service.databaseUrl };
      const { client } = await service.signIn('superadmin', 'grace@example.com');
      await client.call('settings.update', {
        updates: { 'mail:from': 'a secret', 'evil\u001b[2J': '', '-x': '' },
      });
      const { client: other, id } = await service.signIn('user', 'ada@example.com');
      await other.call('issues.create', { title: 'x', severity: 'High', category: 'Payments' });
      await client.call('admins.changeActivity', { id, is_active: 0 });
      const visitor = { visitor_email: 'v@example.com', visitor_name: 'Vera\u001b[2J', subject: 'A bill' };
      conversation = (await client.call('conversations.create', visitor)).conversation.id;
    });

    afterAll(async () => {
      await service.stop();
    });

    test('gives fish values and descriptions', async () => {
      await expectAnswer(['fish', '--', 'issues', 'set-status', '7', ''], env, [
        'Open\t',
        'In Progress\t',
        'Resolved\t',
        'Closed\t',
      ]);
      const admins = ['grace@example.com\tsuperadmin', 'ada@example.com\tuser, inactive'];
      await expectAnswer(['fish', '--', 'admins', 'delete', ''], env, admins);
      const assignees = ['me\tyou', 'none\tnobody', ...admins];
      await expectAnswer(['fish', '--', 'issues', 'assign', '7', '--to', ''], env, assignees);
    });

    test('gives zsh values and their lines in the list', async () => {
      await expectAnswer(['zsh', '--', 'admins', 'delete', 'g'], env, [
        'grace@example.com\tgrace@example.com  -- superadmin',
        'ada@example.com\tada@example.com    -- user, inactive',
      ]);
      expect(await suggest(['zsh', '--', 'settings', 'import', ''], env)).toEqual(['files']);
    });

    test('shows no values of settings, and no keys that a terminal or the command would act on', async () => {
      await expectAnswer(['fish', '--', 'settings', 'get', ''], env, ['mail:from\t']);
    });

    test.each([
      ['issues list --json ', ['id\t', 'title\t', 'assignee\t']],
      ['issues list --jsonl=id,ti', ['--jsonl=id,title\t', '--jsonl=id,status\t']],
      ['issue ls --columns id,', ['id,title\t', 'id,created_at\t']],
      ['issues show 1 --json title,', ['title,links\t', 'title,severity\t']],
      ['issues create x --json ', ['success\t', 'id\t']],
      ['usage show --json ', ['tokenUsage\t', 'tokenAlerts\t']],
      ['whoami --json role,', ['role,server\t', 'role,email\t']],
      ['context list --json ', ['name\t', 'server\t']],
    ])('suggests fields after `backoffice %s`, and none twice', async (line, some) => {
      const [kind, ...fields] = await suggest(['fish', '--', ...line.split(' ')], {});
      expect(kind).toBe('values');
      expect(fields).toEqual(expect.arrayContaining(some));
      for (const field of fields)
        expect(field.trim().split(/[=,]/).length).toBe(new Set(field.trim().split(/[=,]/)).size);
    });

    test('answers PowerShell, which drops empty arguments, and gives it a script that asks so', async () => {
      await expectAnswer(['powershell', '--', '=', 'issues', 'set-status', '7'], env, [
        'Open\t',
        'In Progress\t',
        'Resolved\t',
        'Closed\t',
      ]);
      await expectAnswer(['powershell', '--', '=gr', 'admins', 'delete'], env, [
        'grace@example.com\tsuperadmin',
        'ada@example.com\tuser, inactive',
      ]);
      const { stdout } = await backoffice(['completion', 'powershell']);
      expect(stdout).toContain(
        "Register-ArgumentCompleter -Native -CommandName 'backoffice', 'backoffice.js' -ScriptBlock {",
      );
      expect(stdout).toContain('completion suggest powershell -- "=$current" @before 2>$null');
      expect(stdout).toContain('$line -split "`t", 2');
      // No PowerShell runs here, so only the structure is checked: quotes and brackets are balanced.
      const code = stdout.replaceAll(/^\s*#.*$/gm, '').replaceAll(/'[^']*'|"(?:`.|[^"`])*"/g, '');
      expect(code).not.toMatch(/['"]/);
      for (const pair of ['{}', '()', '[]'])
        expect(code.split(pair[0] ?? '').length, pair).toBe(code.split(pair[1] ?? '').length);
    });

    test('suggests categories and severities in use', async () => {
      await expectAnswer(['fish', '--', 'issues', 'list', '--category='], env, [
        '--category=Payments\t1 issue',
      ]);
      await expectAnswer(['fish', '--', 'issues', 'list', '--severity', ''], env, ['High\t1 issue']);
    });

    test('describes conversations by visitor and subject, and issues by title', async () => {
      await expectAnswer(['fish', '--', 'conversations', 'show', ''], env, [
        `${conversation}\tVera\uFFFD[2J: A bill`,
      ]);
      await expectAnswer(['fish', '--', 'issues', 'show', ''], env, ['1\tx']);
    });

    test('asks the server named on the command line or in the environment', async () => {
      const { secret: BACKOFFICE_TOKEN } = await service.createToken('admin');
      const words = ['--', '--server', service.url, 'settings', 'get', ''];
      await expectAnswer(['fish', ...words], { BACKOFFICE_TOKEN }, ['mail:from\t']);
      const remote = { BACKOFFICE_SERVER: service.url, BACKOFFICE_TOKEN };
      await expectAnswer(['fish', '--', 'settings', 'get', ''], remote, ['mail:from\t']);
      expect(await suggest(['fish', ...words], { BACKOFFICE_TOKEN: 'bo_unknown' })).toEqual(['values']);
    });

    test.each([
      ['an unreachable database', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
      ['an invalid configuration', { DATABASE_URL: 'nonsense' }],
      ['an unreachable server', { BACKOFFICE_SERVER: 'http://127.0.0.1:1' }],
    ])('suggests nothing, without an error, with %s', async (_what, broken) => {
      expect(await suggest(['fish', '--', 'settings', 'get', ''], broken)).toEqual(['values']);
    });

    test.each([
      ['server', (port: number) => ({ BACKOFFICE_SERVER: `http://127.0.0.1:${port}` })],
      ['database', (port: number) => ({ DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none` })],
    ])('stops waiting for a %s that does not answer', async (_what, envOf) => {
      const server = createServer(() => {});
      const port = await listenOnLoopback(server);
      const started = performance.now();
      const words = ['completion', 'suggest', 'fish', '--', 'settings', 'get', ''];
      const answer = await runInProcess(words, { env: envOf(port) });
      expect(answer).toEqual({ code: 0, stdout: 'values\n', stderr: '' });
      // A lookup has 1.5 s, a command has 30 s for the same request; the difference allows for a busy machine.
      expect(performance.now() - started).toBeLessThan(20_000);
      server.close();
    });

    test('asks the embedded Postgres if it is running, and never starts it', async () => {
      const dataDirectory = await temporaryDataDirectory();
      const embedded = { BACKOFFICE_DATA: dataDirectory };
      expect(await suggest(['fish', '--', 'settings', 'get', ''], embedded)).toEqual(['values']);
      expect(await readdir(dataDirectory)).toEqual([]);

      const member = await startMember(dataDirectory);
      // Seeding an embedded database creates its tables first.
      const seed = ['seed', '--issues', '0', '--conversations', '0'];
      expect(await backoffice(seed, { env: embedded })).toMatchObject({ code: 0 });
      expect(await suggest(['fish', '--', 'settings', 'get', ''], embedded)).toContain('site_name\t');
      await member.leave();
      expect(await runningPid(dataDirectory)).toBeUndefined();
      expect(await suggest(['fish', '--', 'settings', 'get', ''], embedded)).toEqual(['values']);
      expect(await runningPid(dataDirectory)).toBeUndefined();
    });

    test.each(['bash', 'zsh', 'fish', 'powershell'])(
      'prints the script for %s and how to install it',
      async (shell) => {
        const { stdout } = await backoffice(['completion', shell]);
        expect(stdout).toContain(`completion suggest ${shell} --`);
        expect((await backoffice(['completion', shell, '--help'])).stdout).toContain(
          `backoffice completion ${shell}`,
        );
      },
    );
  });
});

describe('suggestions', async () => {
  const program = await createProgram();

  /** Suggests what comes next; the last word is the one being typed. */
  function suggested(line: string) {
    const words = line.split(' ');
    return suggest(program, words.slice(0, -1), words.at(-1) ?? '');
  }

  function valuesOf(line: string): string[] {
    const suggestion = suggested(line);
    return suggestion.kind === 'values' ? suggestion.values.map(({ value }) => value) : [];
  }

  describe('suggest', () => {
    test.each([
      ['', ['issues', 'doctor', 'completion', 'help']],
      ['admins ', ['list', 'reset-password']],
      ['issues list --', ['--status', '--since', '--server', '--help']],
      ['issues list --json ', []],
      ['issues list --json --', ['--csv']],
      ['--server https://x.example admins ', ['create']],
      ['tokens create --role ', ['superadmin', 'admin', 'user']],
      ['issues set-status 7 ', ['Open', 'In Progress', 'Resolved', 'Closed']],
      ['issues set-status 7 Open ', ['--expected', '--json']],
      ['issues set-status 7 Open --expected C', ['Closed']],
      ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
      ['issue ls --status Open,', ['Open,In Progress', 'Open,Resolved', 'Open,Closed']],
      ['conv ls --', ['--columns', '--jq', '--watch']],
    ])('suggests the words after `backoffice %s`', (line, some) => {
      expect(valuesOf(line)).toEqual(expect.arrayContaining(some));
    });

    test.each([
      ['completion ', 'suggest'],
      ['issues list --status Open --', '--status'],
      ['issues list --status Open --', 'Resolved'],
      ['issues list --limit ', '--status'],
      ['issues list --status Open,', 'Open,Open'],
      ['issues ', 'ls'],
      ['settings set key value -- ', '--json'],
    ])('after `backoffice %s` does not suggest %s', (line, value) => {
      expect(valuesOf(line)).not.toContain(value);
    });

    test('describes each suggestion', () => {
      expect(suggested('issues list --unt')).toMatchObject({
        values: expect.arrayContaining([{ value: '--until', description: 'only created before this time' }]),
      });
    });

    test.each([
      ['settings get ', { source: 'setting keys' }],
      ['settings set ', { source: 'setting keys' }],
      ['settings unset --yes ', { source: 'setting keys' }],
      ['admins update ', { source: 'admins' }],
      ['admins delete ', { source: 'admins' }],
      ['admins activate ', { source: 'admins' }],
      ['admins deactivate ', { source: 'admins' }],
      ['admins reset-password ', { source: 'admins' }],
      ['sessions revoke ', { source: 'signed-in admins' }],
      ['issues set-status ', { source: 'issues' }],
      ['issues show ', { source: 'issues' }],
      ['issues link 7 --conversation ', { source: 'conversations' }],
      ['issues create Title --from-conversation=', { source: 'conversations' }],
      ['conversations show ', { source: 'conversations' }],
      ['conversations reply ', { source: 'conversations' }],
      ['conversations draft approve ', { source: 'conversations' }],
      ['issues list --category ', { source: 'categories' }],
      ['issues list --severity=', { source: 'severities', prefix: '--severity=' }],
      [
        'admins delete --server https://x.example ',
        { source: 'admins', named: { server: 'https://x.example' } },
      ],
      [
        '--server=https://x.example settings get ',
        { source: 'setting keys', named: { server: 'https://x.example' } },
      ],
    ])('looks up the values of `backoffice %s`', (line, lookup) => {
      expect(suggested(line)).toMatchObject({ kind: 'lookup', ...lookup });
    });

    test('leaves files to the shell', () => {
      expect(suggested('settings import --dry-run ')).toEqual({ kind: 'files' });
    });
  });
});
