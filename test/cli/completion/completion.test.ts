import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { suggest as suggestFor } from '../../../cli/completion/suggest.ts';
import { createProgram } from '../../../cli/program.ts';
import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { runningPid, stoppedServer } from '../../support/postgres/embedded.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { suggestWords } from '../../support/run/process.ts';
import { completeInFish, type Shell, startShell } from '../../support/run/shell.ts';
import { backoffice } from '../../support/run.ts';
import { commandsHere, type Environment } from '../commands-here.ts';

const here = commandsHere();
const local = () => here.env('on the database');
let conversation: string;

beforeAll(async () => {
  const keys = ["it's", 'q"uote$x', 'back\\slash*&;|', 'ünï with spaces'];
  const updates = Object.fromEntries([...keys, 'evil\u001b[2J', '-x'].map((key) => [key, '']));
  await here.client.call('settings.update', { updates: { ...updates, 'mail:from': 'a secret' } });
  const { client, id } = await here.service.signIn('user', 'ada@example.com');
  const issue = { title: 'Checkout hangs', severity: 'High', category: 'Payments' };
  await client.call('issues.create', { ...issue, labels: ['mobile', 'slow'] });
  await here.client.call('admins.changeActivity', { id, is_active: 0 });
  const visitor = { visitor_email: 'v@example.com', visitor_name: 'Vera\u001b[2J', subject: 'A bill' };
  conversation = (await here.client.call('conversations.create', visitor)).conversation.id;
});

describe('answers to completion scripts', () => {
  /** Asks as a completion script does for what follows the words of a line. Returns the lines of the answer. */
  async function suggest(shell: string, line: string, env = local()): Promise<string[]> {
    const args = [...suggestWords, shell, '--', ...line.split(' ')];
    const { code, stdout, stderr } = await backoffice(args, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.replace(/\n$/, '').split('\n');
  }

  const statuses = ['Open\t', 'In Progress\t', 'Resolved\t', 'Closed\t'];
  const admins = ['grace@example.com\tsuperadmin', 'ada@example.com\tuser, inactive'];
  const alignedAdmins = [
    'grace@example.com\tgrace@example.com  -- superadmin',
    'ada@example.com\tada@example.com    -- user, inactive',
  ];

  test.each([
    ['fish', 'issues set-status 7 ', statuses],
    ['fish', 'issues assign 7 --to ', ['me\tyou', 'none\tnobody', ...admins]],
    ['zsh', 'admins delete g', alignedAdmins],
    ['fish', 'issues list --category=', ['--category=Payments\t1 issue']],
    ['fish', 'issues list --label mobile,', ['mobile,slow\t1 issue and 0 conversations']],
    ['fish', 'issues show ', ['1\tCheckout hangs']],
  ])('gives %s the values of `%s`', async (shell, line, lines) => {
    expect(await suggest(shell, line)).toEqual(['values', ...lines]);
  });

  test('describes conversations by visitor and subject, and leaves files to the shell', async () => {
    const described = `${conversation}\tVera\uFFFD[2J: A bill`;
    expect(await suggest('fish', 'conversations show ')).toEqual(['values', described]);
    expect(await suggest('zsh', 'settings import ')).toEqual(['files']);
  });

  test('gives no values of settings, and no keys that a terminal or the command would act on', async () => {
    const keys = await suggest('fish', 'settings get ');
    expect(keys).toContain('mail:from\t');
    expect(keys.join('\n')).not.toMatch(/secret|evil|^-x/m);
  });

  test.each([
    ['issues list --status Open,', 'Open,Closed\t', 'Open,Open\t'],
    ['issues list --jsonl=id,ti', '--jsonl=id,title\t', '--jsonl=id,id\t'],
    ['issues create x --json ', 'success\t', 'title\t'],
    ['tokens create --name x --json token,', 'token,secret\t', 'token,role\t'],
    ['whoami --json role,', 'role,server\t', 'role,role\t'],
  ])('suggests after `backoffice %s` values such as %j, and not %j', async (line, field, other) => {
    const fields = await suggest('fish', line, {});
    expect(fields).toContain(field);
    expect(fields).not.toContain(other);
  });

  test('asks the server named on the command line or in the environment', async () => {
    const { BACKOFFICE_TOKEN = '', ...server } = await here.envOf('admin');
    const named = `--server ${here.service.url} settings get `;
    expect(await suggest('fish', named, { BACKOFFICE_TOKEN })).toContain('mail:from\t');
    expect(await suggest('fish', 'settings get ', { ...server, BACKOFFICE_TOKEN })).toContain('mail:from\t');
    expect(await suggest('fish', named, { BACKOFFICE_TOKEN: 'bo_unknown' })).toEqual(['values']);
  });

  test('suggests nothing, without an error, if what it asks is out of reach or never answers', async () => {
    const broken: Environment[] = [
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      { DATABASE_URL: 'nonsense' },
      { BACKOFFICE_SERVER: 'http://127.0.0.1:1' },
    ];
    for (const env of broken) expect(await suggest('fish', 'settings get ', env)).toEqual(['values']);

    const server = createServer(() => {});
    onTestFinished(() => void server.close());
    const port = await listenOnLoopback(server);
    const started = performance.now();
    const words = ['completion', 'suggest', 'fish', '--', 'settings', 'get', ''];
    const answers = [
      backoffice(words, { env: { BACKOFFICE_SERVER: `http://127.0.0.1:${port}` } }),
      backoffice(words, { env: { DATABASE_URL: `postgres://x@127.0.0.1:${port}/none` } }),
    ];
    const nothing = { code: 0, stdout: 'values\n', stderr: '' };
    expect(await Promise.all(answers)).toEqual([nothing, nothing]);
    // A lookup has 1.5 s, a command has 30 s for the same request; the difference allows for a busy machine.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('asks the embedded Postgres if it is running, and never starts it', async () => {
    const dataDirectory = await stoppedServer();
    const embedded = { BACKOFFICE_DATA: dataDirectory };
    const member = await joinEmbeddedPostgres({ dataDirectory, durable: false });
    // Seeding an embedded database creates its tables first.
    const seed = ['seed', '--issues', '0', '--conversations', '0'];
    expect(await backoffice(seed, { env: embedded })).toMatchObject({ code: 0 });
    expect(await suggest('fish', 'settings get ', embedded)).toContain('site_name\t');
    await member.close();
    expect(await suggest('fish', 'settings get ', embedded)).toEqual(['values']);
    expect(await runningPid(dataDirectory)).toBeUndefined();
  });

  test('prints the script of each shell, and how to install it', async () => {
    const passed = { bash: '', zsh: '', fish: '' };
    for (const [shell, words] of Object.entries(passed)) {
      const { stdout } = await backoffice(['completion', shell]);
      expect(stdout).toContain(`completion suggest ${shell} -- ${words}`);
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
    const { from, prefix } = suggested(line);
    return Array.isArray(from) ? from.map(({ value }) => `${prefix}${value}`) : [];
  }

  test.each([
    ['', ['issues', 'doctor', 'completion', 'help'], ['issue']],
    ['completion ', ['bash', 'zsh', 'fish'], ['suggest', 'powershell']],
    ['issues list --status Open --', ['--since', '--server', '--help'], ['--status', 'Resolved']],
    ['issues list --limit ', [], ['--status']],
    ['issues list --json --', ['--csv'], []],
    ['--server https://x.example admins ', ['create', 'reset-password'], ['add']],
    ['issues set-status 7 8 C', ['Closed'], []],
    ['issue ls --status Open,', ['Open,In Progress', 'Open,Resolved', 'Open,Closed'], []],
    ['settings set key value -- ', [], ['--json']],
  ])('after `backoffice %s` are %j, and not %j', (line, some, others) => {
    const values = valuesOf(line);
    expect(values).toEqual(expect.arrayContaining(some));
    for (const other of others) expect(values).not.toContain(other);
  });

  test('looks up values at the server that the line names, and keeps what is typed before them', () => {
    const named = { server: 'https://x.example' };
    expect(suggested('admins delete --server https://x.example ')).toMatchObject({ from: 'admins', named });
    expect(suggested('--server=https://x.example settings unset --yes ')).toMatchObject({
      from: 'setting keys',
      named,
    });
    expect(suggested('admins delete --context two ')).toMatchObject({ named: { context: 'two' } });
    expect(suggested('issues create Title --from-conversation=')).toMatchObject({
      from: 'conversations',
      prefix: '--from-conversation=',
    });
    const until = { value: '--until', description: 'only created before this time' };
    expect(suggested('issues list --unt')).toMatchObject({ from: expect.arrayContaining([until]) });
  });
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
  ['issues list --status "In', ['issues', 'list', '--status', 'In Progress']],
  ['issues list --status=In', ['issues', 'list', '--status=In Progress']],
  ['admins delete gra', ['admins', 'delete', 'grace@example.com']],
  ['settings get it', ['settings', 'get', "it's"]],
  ['settings set ü', ['settings', 'set', 'ünï with spaces']],
  ['settings import backoff', ['settings', 'import', 'backoffice']],
  ['issues list --json id,tit', ['issues', 'list', '--json', 'id,title']],
];

const others: Record<'bash' | 'zsh', Completion[]> = {
  bash: [
    ['issues list --status In\\ P', ['issues', 'list', '--status', 'In Progress']],
    ["settings get 'it", ['settings', 'get', "it's"]],
    ['settings get "q', ['settings', 'get', 'q"uote$x']],
    ['settings get back', ['settings', 'get', 'back\\slash*&;|']],
    ['settings unset mail:', ['settings', 'unset', 'mail:from']],
    ['issues list --search backoff', ['issues', 'list', '--search', 'backoff']],
  ],
  zsh: [['settings get q', ['settings', 'get', 'q"uote$x']]],
};

for (const name of ['bash', 'zsh'] as const)
  describe.skipIf(!has(name))(`completion in a real ${name}`, () => {
    let shell: Shell;

    beforeAll(async () => {
      shell = await startShell(name, local());
    });
    afterAll(() => shell?.close());

    test.each([...everywhere, ...others[name]])('completes `backoffice %s` to %j', async (typed, words) => {
      expect(await shell.complete(`backoffice ${typed}`)).toEqual(words);
    });
  });

describe.skipIf(!has('fish'))('completion in a real fish', () => {
  test.each([
    ["issues list --status 'In", ['In Progress']],
    ['issues show ', ['1\tCheckout hangs']],
    ['settings import backoff', ['backoffice']],
  ])('completes `backoffice %s` to %j', async (typed, lines) => {
    expect(await completeInFish(`backoffice ${typed}`, local())).toEqual(lines);
  });
});
