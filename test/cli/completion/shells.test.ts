import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/here.ts';
import { completeInFish, type Shell, startShell } from '../../support/run/shell.ts';

describe('completion in a real bash', () => {
  let service: TestService;
  let bash: Shell;

  beforeAll(async () => {
    service = await startTestService();
    const { client } = await service.signIn('superadmin', 'grace@example.com');
    await service.signIn('user', 'ada@example.com');
    const updates = {
      'a key with spaces': '',
      "it's": '',
      'q"uote': '',
      'back\\slash': '',
      dollar$x: '',
      'mail:from': '',
      'star*&;|': '',
      ünï: '',
      'evil\u001b[2J': '',
    };
    await client.call('settings.update', { updates });
    bash = await startShell('bash', { DATABASE_URL: service.databaseUrl });
  });

  afterAll(async () => {
    await bash.close();
    await service.stop();
  });

  test.each([
    ['iss', ['issues']],
    ['issues set-s', ['issues', 'set-status']],
    ['issues list --stat', ['issues', 'list', '--status']],
    ['issues list --status Res', ['issues', 'list', '--status', 'Resolved']],
    ['issues list --status In', ['issues', 'list', '--status', 'In Progress']],
    ['issues list --status In\\ P', ['issues', 'list', '--status', 'In Progress']],
    ['issues list --status "In', ['issues', 'list', '--status', 'In Progress']],
    ["issues list --status 'In P", ['issues', 'list', '--status', 'In Progress']],
    ['issues list --status=In', ['issues', 'list', '--status=In Progress']],
    ['issues stats --period w', ['issues', 'stats', '--period', 'weekly']],
    ['issues set-status 7 Cl', ['issues', 'set-status', '7', 'Closed']],
    ['admins create --role sup', ['admins', 'create', '--role', 'superadmin']],
    ['admins delete gra', ['admins', 'delete', 'grace@example.com']],
    ['admins delete --yes grace@ex', ['admins', 'delete', '--yes', 'grace@example.com']],
    ['sessions revoke ad', ['sessions', 'revoke', 'ada@example.com']],
    ['settings get a', ['settings', 'get', 'a key with spaces']],
    ['settings get "a k', ['settings', 'get', 'a key with spaces']],
    ['settings get it', ['settings', 'get', "it's"]],
    ["settings get 'it", ['settings', 'get', "it's"]],
    ['settings get q', ['settings', 'get', 'q"uote']],
    ['settings get "q', ['settings', 'get', 'q"uote']],
    ['settings get back', ['settings', 'get', 'back\\slash']],
    ['settings get "dol', ['settings', 'get', 'dollar$x']],
    ['settings unset mail:', ['settings', 'unset', 'mail:from']],
    ['settings unset star', ['settings', 'unset', 'star*&;|']],
    ['settings set ü', ['settings', 'set', 'ünï']],
    ['settings get evil', ['settings', 'get', 'evil']],
    ['settings import backoff', ['settings', 'import', 'backoffice']],
    ['issues list --json id,tit', ['issues', 'list', '--json', 'id,title']],
    ['conv ls --status=open,pen', ['conv', 'ls', '--status=open,pending']],
    ['issues list --search backoff', ['issues', 'list', '--search', 'backoff']],
  ])('completes `backoffice %s` to %j', async (typed, words) => {
    expect(await bash.complete(`backoffice ${typed}`)).toEqual(words);
  });
});

describe('zsh and fish', () => {
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
});
