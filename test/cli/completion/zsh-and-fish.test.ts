import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/here.ts';
import { completeInFish, type Shell, startShell } from '../../support/run/shell.ts';

/** Reports whether a shell is installed. Where it isn't, its tests are skipped. */
function has(shell: string): boolean {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let service: TestService;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  await service.signIn('superadmin', 'grace@example.com');
  const { client } = await service.signIn('user', 'ada@example.com');
  await client.call('settings.update', { updates: { 'a key': '', "it's": '', dollar$x: '', ünï: '' } });
  await client.call('issues.create', { title: 'Checkout hangs' });
  env = { DATABASE_URL: service.databaseUrl };
});

afterAll(async () => {
  await service.stop();
});

describe.skipIf(!has('zsh'))('completion in a real zsh', () => {
  let zsh: Shell;

  beforeAll(async () => {
    zsh = await startShell('zsh', env);
  });

  afterAll(async () => {
    await zsh.close();
  });

  test.each([
    ['iss', ['issues']],
    ['issues set-s', ['issues', 'set-status']],
    ['issues list --stat', ['issues', 'list', '--status']],
    ['issues list --status In', ['issues', 'list', '--status', 'In Progress']],
    ['issues list --status=In', ['issues', 'list', '--status=In Progress']],
    ['issues list --status "In', ['issues', 'list', '--status', 'In Progress']],
    ['admins delete gra', ['admins', 'delete', 'grace@example.com']],
    ['settings get a', ['settings', 'get', 'a key']],
    ['settings get it', ['settings', 'get', "it's"]],
    ['settings get dol', ['settings', 'get', 'dollar$x']],
    ['settings set ü', ['settings', 'set', 'ünï']],
    ['settings import backoff', ['settings', 'import', 'backoffice']],
    ['issues list --json id,tit', ['issues', 'list', '--json', 'id,title']],
  ])('completes `backoffice %s` to %j', async (typed, words) => {
    expect(await zsh.complete(`backoffice ${typed}`)).toEqual(words);
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
    ['settings get a', ['a key']],
    ['settings set ü', ['ünï']],
    ['settings import backoff', ['backoffice']],
    ['issues list --json id,tit', ['id,title']],
  ])('completes `backoffice %s` to %j', async (typed, lines) => {
    expect(await completeInFish(`backoffice ${typed}`, env)).toEqual(lines);
  });
});
