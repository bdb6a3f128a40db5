import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, startTestService, type TestService } from '../../support/here.ts';
import { inTerminal, type TerminalOptions } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('prompts', () => {
  let service: TestService;
  let superadmin: SignedIn;
  let token: string;

  beforeAll(async () => {
    service = await startTestService();
    superadmin = await service.signIn('superadmin', 'grace@example.com');
    token = (await service.createToken('superadmin')).secret;
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
    const stopped = await run(['admins', 'delete', 'gone@example.com'], {
      answers: [{ at: /Delete user gone@example\.com/, type: '\u0003' }],
    });
    expect(stopped).toMatchObject({ code: 130, text: expect.stringContaining('Nothing was changed.') });
    const deleted = await run(['admins', 'delete', 'gone@example.com'], {
      answers: [{ at: /Delete user gone@example\.com/, type: 'y' }],
    });
    expect(deleted.code).toBe(0);
    expect(deleted.text).toContain('Deleted gone@example.com.');
  });

  test('asks on the terminal when standard input is a pipe', async () => {
    for (let number = 0; number < 21; number++)
      await superadmin.client.call('issues.create', { title: `Issue ${number}` });
    const ids = Array.from({ length: 21 }, (_, index) => index + 1).join('\\n');
    const { code, text } = await inTerminal([], {
      env: { DATABASE_URL: service.databaseUrl },
      shell: (command) => `printf '${ids}\\n' | ${command} issues set-status - Closed`,
      answers: [{ at: /Set 21 issues to Closed\?/, type: 'y' }],
    });
    expect(text).toContain('Changed 21 issues.');
    expect(code).toBe(0);
  });

  test('writes texts in the editor of the user, and keeps them if they cannot be sent', async () => {
    const { conversation } = await superadmin.client.call('conversations.create', {
      visitor_email: 'ada@example.com',
      visitor_name: 'Ada',
      initial_message: 'Where is it?',
    });
    const editing = (editor: string, ...args: string[]) =>
      inTerminal(args, { env: { DATABASE_URL: service.databaseUrl, VISUAL: editor } });
    const folder = await temporaryFolder();
    const script = async (name: string, lines: string) => {
      await writeFile(join(folder, name), lines);
      return `sh ${join(folder, name)}`;
    };
    const seen = join(folder, 'seen');
    const reply = await script(
      'reply',
      `cp "$1" ${seen}; stat -c %a "$1" >> ${seen}; sed -i '1s/.*/# It is here./' "$1"`,
    );
    expect(await editing(reply, 'conversations', 'reply', conversation.id)).toMatchObject({ code: 0 });
    const messages = await superadmin.client.call('messages.list', { conversation_id: conversation.id });
    expect(messages.messages.at(-1)?.content).toBe('# It is here.');
    expect(await readFile(seen, 'utf8')).toMatch(
      /^\n\n# -+ >8 -+\n# Write the reply above this line[\s\S]*# {3}Where is it\?\n600\n$/,
    );

    const empty = await editing('true', 'conversations', 'reply', conversation.id);
    expect(empty).toMatchObject({
      code: 1,
      text: expect.stringContaining('The reply is empty. Nothing was changed.'),
    });

    const retitle = await script('retitle', `sed -i 's/^title: .*/title: By me/' "$1"`);
    expect(await editing(retitle, 'issues', 'edit', '1', '--jq', '.changed')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^1$/m),
    });
    expect(await superadmin.client.call('issues.list', { id: 1 })).toMatchObject({
      issues: [{ title: 'By me', status: 'Closed' }],
    });
    const curl = `curl -s -X PATCH ${service.url}/api/admin/issues -H 'content-type: application/json' -H 'authorization: Bearer ${token}' -d '{"ids":[1],"set":{"title":"By a colleague"}}'`;
    const late = await script('late', `${curl}; sed -i 's/^title: .*/title: Too late/' "$1"`);
    const conflict = await editing(late, 'issues', 'edit', '1');
    expect(conflict.code).toBe(1);
    expect(conflict.text).toContain('Changed meanwhile: title is now By a colleague.');
    const [, kept = ''] = /Your text is kept in (\S+)\./.exec(conflict.text) ?? [];
    expect(await readFile(kept, 'utf8')).toMatch(/^title: Too late\nstatus: Closed\n/);
    const wrong = await script('wrong', `sed -i 's/^status: .*/status: Done/' "$1"`);
    const refused = await inTerminal(['issues', 'edit', '1'], {
      env: { DATABASE_URL: service.databaseUrl, VISUAL: wrong },
      answers: [{ at: /Edit it again\?/, type: 'n' }],
    });
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('Line 2: status is wrong.') });
    expect(await editing('none-such-editor', 'issues', 'edit', '1')).toMatchObject({
      code: 1,
      text: expect.stringContaining(
        'Cannot find the editor none-such-editor. Set the variable EDITOR to yours.',
      ),
    });
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
