import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeInFish, type Shell, startShell } from '../../support/run/shell.ts';
import { commandsHere } from '../commands-here.ts';

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
  ['issues list --status In', ['issues', 'list', '--status', 'In Progress']],
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
    ['issues list --status Res', ['issues', 'list', '--status', 'Resolved']],
    ['issues list --status In\\ P', ['issues', 'list', '--status', 'In Progress']],
    ["issues list --status 'In P", ['issues', 'list', '--status', 'In Progress']],
    ['issues stats --period w', ['issues', 'stats', '--period', 'weekly']],
    ['issues set-status 7 Cl', ['issues', 'set-status', '7', 'Closed']],
    ['admins create --role sup', ['admins', 'create', '--role', 'superadmin']],
    ['admins delete --yes grace@ex', ['admins', 'delete', '--yes', 'grace@example.com']],
    ['sessions revoke ad', ['sessions', 'revoke', 'ada@example.com']],
    ['settings get "a k', ['settings', 'get', 'a key with spaces']],
    ["settings get 'it", ['settings', 'get', "it's"]],
    ['settings get q', ['settings', 'get', 'q"uote']],
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
    ['issues list --status In', ['In Progress']],
    ['issues list --status=In', ['--status=In Progress']],
    ["issues list --status 'In", ['In Progress']],
    ['issues show ', ['1\tCheckout hangs']],
    ['admins delete gra', ['grace@example.com\tsuperadmin']],
    ['settings get a', ['a key with spaces']],
    ['settings set ü', ['ünï']],
    ['settings import backoff', ['backoffice']],
    ['issues list --json id,tit', ['id,title']],
  ])('completes `backoffice %s` to %j', async (typed, lines) => {
    expect(await completeInFish(`backoffice ${typed}`, here.env('on the database'))).toEqual(lines);
  });
});
