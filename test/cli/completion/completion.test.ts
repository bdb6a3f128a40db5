import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { suggest as suggestFor } from '../../../cli/completion/suggest.ts';
import { createProgram } from '../../../cli/program.ts';
import { runningPid, startMember, stoppedServer } from '../../support/postgres/embedded.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { backoffice as runInProcess, suggestWords } from '../../support/run/process.ts';
import { completeInFish, type Shell, startShell } from '../../support/run/shell.ts';
import { backoffice } from '../../support/run.ts';
import { commandsHere } from '../commands-here.ts';

describe('answers to completion scripts', () => {
  const here = commandsHere();
  const local = () => here.env('on the database');
  let conversation: string;

  beforeAll(async () => {
    await here.client.call('settings.update', {
      updates: { 'mail:from': 'a secret', 'evil\u001b[2J': '', '-x': '' },
    });
    const { client, id } = await here.service.signIn('user', 'ada@example.com');
    await client.call('issues.create', { title: 'x', severity: 'High', category: 'Payments' });
    await here.client.call('admins.changeActivity', { id, is_active: 0 });
    const visitor = { visitor_email: 'v@example.com', visitor_name: 'Vera\u001b[2J', subject: 'A bill' };
    conversation = (await here.client.call('conversations.create', visitor)).conversation.id;
  });

  /** Asks as a completion script does for what follows the words of a line. Returns the lines of the answer. */
  async function suggest(shell: string, line: string, env = local()): Promise<string[]> {
    const args = [...suggestWords, shell, '--', ...line.split(' ')];
    const { code, stdout, stderr } = await backoffice(args, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.replace(/\n$/, '').split('\n');
  }

  const statuses = ['Open\t', 'In Progress\t', 'Resolved\t', 'Closed\t'];
  const admins = ['grace@example.com\tsuperadmin', 'ada@example.com\tuser, inactive'];

  test.each([
    ['fish', 'issues set-status 7 ', statuses],
    ['fish', 'admins delete ', admins],
    ['fish', 'issues assign 7 --to ', ['me\tyou', 'none\tnobody', ...admins]],
    [
      'zsh',
      'admins delete g',
      [
        'grace@example.com\tgrace@example.com  -- superadmin',
        'ada@example.com\tada@example.com    -- user, inactive',
      ],
    ],
    // No values of settings, and no keys that a terminal or the command would act on.
    ['fish', 'settings get ', ['mail:from\t']],
    ['fish', 'issues list --category=', ['--category=Payments\t1 issue']],
    ['fish', 'issues show ', ['1\tx']],
    // PowerShell drops empty arguments.
    ['powershell', '= issues set-status 7', statuses],
    ['powershell', '=gr admins delete', admins],
  ])('gives %s the values of `%s`', async (shell, line, lines) => {
    expect(await suggest(shell, line)).toEqual(['values', ...lines]);
  });

  test('describes conversations by visitor and subject, and leaves files to the shell', async () => {
    const described = `${conversation}\tVera\uFFFD[2J: A bill`;
    expect(await suggest('fish', 'conversations show ')).toEqual(['values', described]);
    expect(await suggest('zsh', 'settings import ')).toEqual(['files']);
  });

  test.each([
    ['issues list --json ', ['id\t', 'title\t', 'assignee\t']],
    ['issues list --jsonl=id,ti', ['--jsonl=id,title\t', '--jsonl=id,status\t']],
    ['issues show 1 --json title,', ['title,links\t', 'title,severity\t']],
    ['issues create x --json ', ['success\t', 'id\t']],
    ['usage show --json ', ['tokenUsage\t', 'tokenAlerts\t']],
    ['whoami --json role,', ['role,server\t', 'role,email\t']],
    ['context list --json ', ['name\t', 'server\t']],
  ])('suggests fields after `backoffice %s`, and none twice', async (line, some) => {
    const [kind, ...fields] = await suggest('fish', line, {});
    expect(kind).toBe('values');
    expect(fields).toEqual(expect.arrayContaining(some));
    for (const field of fields)
      expect(field.trim().split(/[=,]/).length).toBe(new Set(field.trim().split(/[=,]/)).size);
  });

  test('gives PowerShell a script that asks so', async () => {
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

  test('asks the server named on the command line or in the environment', async () => {
    const { BACKOFFICE_TOKEN = '', ...server } = await here.envOf('admin');
    const named = `--server ${here.service.url} settings get `;
    const keys = ['values', 'mail:from\t'];
    expect(await suggest('fish', named, { BACKOFFICE_TOKEN })).toEqual(keys);
    expect(await suggest('fish', 'settings get ', { ...server, BACKOFFICE_TOKEN })).toEqual(keys);
    expect(await suggest('fish', named, { BACKOFFICE_TOKEN: 'bo_unknown' })).toEqual(['values']);
  });

  test.each([
    ['an unreachable database', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
    ['an invalid configuration', { DATABASE_URL: 'nonsense' }],
    ['an unreachable server', { BACKOFFICE_SERVER: 'http://127.0.0.1:1' }],
  ])('suggests nothing, without an error, with %s', async (_what, broken) => {
    expect(await suggest('fish', 'settings get ', broken)).toEqual(['values']);
  });

  test('stops waiting for a server or a database that does not answer', async () => {
    const server = createServer(() => {});
    onTestFinished(() => void server.close());
    const port = await listenOnLoopback(server);
    const started = performance.now();
    const words = ['completion', 'suggest', 'fish', '--', 'settings', 'get', ''];
    const [BACKOFFICE_SERVER, DATABASE_URL] = [
      `http://127.0.0.1:${port}`,
      `postgres://x@127.0.0.1:${port}/none`,
    ];
    const answers = [{ BACKOFFICE_SERVER }, { DATABASE_URL }].map((env) => runInProcess(words, { env }));
    const nothing = { code: 0, stdout: 'values\n', stderr: '' };
    expect(await Promise.all(answers)).toEqual([nothing, nothing]);
    // A lookup has 1.5 s, a command has 30 s for the same request; the difference allows for a busy machine.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('asks the embedded Postgres if it is running, and never starts it', async () => {
    const dataDirectory = await stoppedServer();
    const embedded = { BACKOFFICE_DATA: dataDirectory };
    expect(await suggest('fish', 'settings get ', embedded)).toEqual(['values']);
    expect(await runningPid(dataDirectory)).toBeUndefined();

    const member = await startMember(dataDirectory);
    // Seeding an embedded database creates its tables first.
    const seed = ['seed', '--issues', '0', '--conversations', '0'];
    expect(await backoffice(seed, { env: embedded })).toMatchObject({ code: 0 });
    expect(await suggest('fish', 'settings get ', embedded)).toContain('site_name\t');
    await member.leave();
    expect(await runningPid(dataDirectory)).toBeUndefined();
    expect(await suggest('fish', 'settings get ', embedded)).toEqual(['values']);
    expect(await runningPid(dataDirectory)).toBeUndefined();
  });

  test('prints the script of each shell, and how to install it', async () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { stdout } = await backoffice(['completion', shell]);
      expect(stdout).toContain(`completion suggest ${shell} --`);
      const help = await backoffice(['completion', shell, '--help']);
      expect(help.stdout).toContain(`backoffice completion ${shell}`);
    }
  });
});

describe('suggestions', async () => {
  const program = await createProgram();

  /** Suggests what comes next; the last word is the one being typed. */
  function suggested(line: string) {
    const words = line.split(' ');
    return suggestFor(program, words.slice(0, -1), words.at(-1) ?? '');
  }

  function valuesOf(line: string): string[] {
    const suggestion = suggested(line);
    return suggestion.kind === 'values' ? suggestion.values.map(({ value }) => value) : [];
  }

  test.each([
    ['', ['issues', 'doctor', 'completion', 'help']],
    ['admins ', ['list', 'reset-password']],
    ['issues list --', ['--status', '--since', '--server', '--help']],
    ['issues list --json ', []],
    ['issues list --json --', ['--csv']],
    ['--server https://x.example admins ', ['create']],
    ['issues set-status 7 Open ', ['--expected', '--json']],
    ['issues set-status 7 Open --expected C', ['Closed']],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['issue ls --status Open,', ['Open,In Progress', 'Open,Resolved', 'Open,Closed']],
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

  test.each([
    ['setting keys', ['settings set ', 'settings unset --yes ']],
    ['admins', ['admins update ', 'admins activate ', 'admins deactivate ', 'admins reset-password ']],
    ['signed-in admins', ['sessions revoke ']],
    ['issues', ['issues set-status ']],
    [
      'conversations',
      ['issues link 7 --conversation ', 'conversations reply ', 'conversations draft approve '],
    ],
    ['conversations', ['issues create Title --from-conversation=']],
  ])('looks up %s after each of %j', (source, lines) => {
    for (const line of lines) expect(suggested(line), line).toMatchObject({ kind: 'lookup', source });
  });

  test('looks up values at the server that the line names, and keeps what is typed before them', () => {
    const named = { server: 'https://x.example' };
    expect(suggested('admins delete --server https://x.example ')).toMatchObject({ source: 'admins', named });
    expect(suggested('--server=https://x.example settings get ')).toMatchObject({ named });
    expect(suggested('issues list --severity=')).toMatchObject({ prefix: '--severity=' });
    const until = { value: '--until', description: 'only created before this time' };
    expect(suggested('issues list --unt')).toMatchObject({ values: expect.arrayContaining([until]) });
  });
});

describe('in a real shell', () => {
  const here = commandsHere();

  beforeAll(async () => {
    await here.service.signIn('user', 'ada@example.com');
    const keys = [
      'a key with spaces',
      "it's",
      'q"uote',
      'back\\slash',
      'dollar$x',
      'mail:from',
      'star*&;|',
      'ünï',
    ];
    const updates = Object.fromEntries([...keys, 'evil\u001b[2J'].map((key) => [key, '']));
    await here.client.call('settings.update', { updates });
    await here.client.call('issues.create', { title: 'Checkout hangs' });
  });

  /** Reports whether a shell is installed. Where it isn't, its tests are skipped. */
  function has(shell: string): boolean {
    try {
      execFileSync(shell, ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }

  type Completion = [typed: string, words: string[]];

  const everywhere: Completion[] = [
    ['iss', ['issues']],
    ['issues set-s', ['issues', 'set-status']],
    ['issues list --stat', ['issues', 'list', '--status']],
    ['issues list --status "In', ['issues', 'list', '--status', 'In Progress']],
    ['issues list --status=In', ['issues', 'list', '--status=In Progress']],
    ['admins delete gra', ['admins', 'delete', 'grace@example.com']],
    ['settings get a', ['settings', 'get', 'a key with spaces']],
    ['settings get it', ['settings', 'get', "it's"]],
    ['settings set ü', ['settings', 'set', 'ünï']],
    ['settings import backoff', ['settings', 'import', 'backoffice']],
    ['issues list --json id,tit', ['issues', 'list', '--json', 'id,title']],
  ];

  const others: Record<'bash' | 'zsh', Completion[]> = {
    bash: [
      ['issues list --status In\\ P', ['issues', 'list', '--status', 'In Progress']],
      ["issues list --status 'In P", ['issues', 'list', '--status', 'In Progress']],
      ['settings get "a k', ['settings', 'get', 'a key with spaces']],
      ["settings get 'it", ['settings', 'get', "it's"]],
      ['settings get "q', ['settings', 'get', 'q"uote']],
      ['settings get back', ['settings', 'get', 'back\\slash']],
      ['settings get "dol', ['settings', 'get', 'dollar$x']],
      ['settings unset mail:', ['settings', 'unset', 'mail:from']],
      ['settings unset star', ['settings', 'unset', 'star*&;|']],
      ['settings get evil', ['settings', 'get', 'evil']],
      ['conv ls --status=open,pen', ['conv', 'ls', '--status=open,pending']],
      ['issues list --search backoff', ['issues', 'list', '--search', 'backoff']],
    ],
    zsh: [['settings get dol', ['settings', 'get', 'dollar$x']]],
  };

  for (const name of ['bash', 'zsh'] as const)
    describe.skipIf(!has(name))(`completion in a real ${name}`, () => {
      let shell: Shell;

      beforeAll(async () => {
        shell = await startShell(name, here.env('on the database'));
      });
      afterAll(() => shell?.close());

      test.each([...everywhere, ...others[name]])('completes `backoffice %s` to %j', async (typed, words) => {
        expect(await shell.complete(`backoffice ${typed}`)).toEqual(words);
      });
    });

  describe.skipIf(!has('fish'))('completion in a real fish', () => {
    test.each([
      ['iss', ['issues\tlist, report and manage issues']],
      ["issues list --status 'In", ['In Progress']],
      ['issues list --status=In', ['--status=In Progress']],
      ['issues show ', ['1\tCheckout hangs']],
      ['settings get a', ['a key with spaces']],
      ['settings import backoff', ['backoffice']],
      ['issues list --json id,tit', ['id,title']],
    ])('completes `backoffice %s` to %j', async (typed, lines) => {
      expect(await completeInFish(`backoffice ${typed}`, here.env('on the database'))).toEqual(lines);
    });
  });
});
