import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/http/service.ts';
import { backoffice } from '../../support/terminal/hosted-command.ts';
import { inTerminal, type TerminalOptions } from '../../support/terminal/terminal.ts';

describe('prompts', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });

  afterAll(async () => {
    await service.stop();
  });

  const run = (args: string[], options: TerminalOptions = {}) =>
    inTerminal(args, { ...options, env: { DATABASE_URL: service.databaseUrl } });

  test('asks for a password twice, without showing it', async () => {
    const { code, text } = await run(['admins', 'create', '--email', 'ada@example.com'], {
      answers: [
        { at: /Password/, type: 'a hidden word\r' },
        { at: /Repeat the password/, type: 'a hidden word\r' },
      ],
    });
    expect(text).not.toContain('a hidden word');
    expect(text).toContain('Created admin ada@example.com');
    expect(code).toBe(0);
  });

  test('changes nothing if the two passwords differ', async () => {
    const { code, text } = await run(['admins', 'create', '--email', 'eve@example.com'], {
      answers: [
        { at: /Password/, type: 'one password\r' },
        { at: /Repeat the password/, type: 'another one\r' },
      ],
    });
    expect(code).toBe(1);
    expect(text).toContain('The passwords do not match. Nothing was changed.');
  });

  test('asks before deleting an admin, with its name and no as the default', async () => {
    await service.signIn('user', 'gone@example.com');
    const kept = await run(['admins', 'delete', 'gone@example.com'], {
      answers: [{ at: /Delete user gone@example\.com \(admin_\w+\)\?/, type: '\r' }],
    });
    expect(kept.code).toBe(1);
    expect(kept.text).toContain('Nothing was changed.');
    const deleted = await run(['admins', 'delete', 'gone@example.com'], {
      answers: [{ at: /Delete user gone@example\.com/, type: 'y' }],
    });
    expect(deleted.code).toBe(0);
    expect(deleted.text).toContain('Deleted gone@example.com.');
  });

  test('asks before deactivating an admin; without a terminal, the error has the question and --yes', async () => {
    await service.signIn('user', 'tired@example.com');
    const args = ['admins', 'deactivate', 'tired@example.com'];
    expect(await backoffice(args, { env: { DATABASE_URL: service.databaseUrl } })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'backoffice: Deactivate user tired@example.com? There is no terminal to confirm this. Add --yes to confirm.\n',
    });
    const asked = await run(args, { answers: [{ at: /Deactivate user tired@example\.com\?/, type: 'y' }] });
    expect(asked.text).toContain('Deactivated tired@example.com.');
  });
});
