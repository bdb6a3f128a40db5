import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inTerminal } from '../../support/run/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { commandsHere } from '../commands-here.ts';

const here = commandsHere();

const run = (words: string, ...answers: [at: RegExp, type: string][]) =>
  inTerminal(words.split(' '), {
    env: here.env('on the database'),
    answers: answers.map(([at, type]) => ({ at, type })),
  });

test('asks for a password twice, without showing it, and changes nothing if the two differ', async () => {
  const words = 'admins create --email ada@example.com';
  const differing = await run(
    words,
    [/Password/, 'one password\r'],
    [/Repeat the password/, 'another one\r'],
  );
  expect(differing.code).toBe(1);
  expect(differing.text).toContain('The passwords do not match. Nothing was changed.');
  const made = await run(words, [/Password/, 'a hidden word\r'], [/Repeat the password/, 'a hidden word\r']);
  expect(made.code).toBe(0);
  expect(made.text).toContain('Created admin ada@example.com');
  expect(made.text).not.toContain('a hidden word');
});

test('asks before deleting an admin, with its name and no as the default', async () => {
  await here.service.signIn('user', 'gone@example.com');
  const question = /Delete user gone@example\.com \(admin_\w+\)\?/;
  for (const [key, code, said] of [
    ['\r', 1, 'Nothing was changed.'],
    ['\u0003', 130, 'Nothing was changed.'],
    ['y', 0, 'Deleted gone@example.com.'],
  ] as const) {
    const answered = await run('admins delete gone@example.com', [question, key]);
    expect(answered).toMatchObject({ code, text: expect.stringContaining(said) });
  }
});

test('asks on the terminal when standard input is a pipe', async () => {
  await here.sql(`insert into issues (title) select 'Issue ' || n from generate_series(1, 21) as n`);
  const ids = Array.from({ length: 21 }, (_, index) => index + 1).join('\\n');
  const { code, text } = await inTerminal([], {
    env: here.env('on the database'),
    shell: (command) => `printf '${ids}\\n' | ${command} issues set-status - Closed`,
    answers: [{ at: /Set 21 issues to Closed\?/, type: 'y' }],
  });
  expect(text).toContain('Changed 21 issues.');
  expect(code).toBe(0);
});

test('writes texts in the editor of the user, and keeps them if they cannot be sent', async () => {
  const { conversation } = await here.client.call('conversations.create', {
    visitor_email: 'ada@example.com',
    visitor_name: 'Ada',
    initial_message: 'Where is it?',
  });
  const editing = (editor: string, ...args: string[]) =>
    inTerminal(args, { env: { ...here.env('on the database'), VISUAL: editor } });
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
  const messages = await here.client.call('messages.list', { conversation_id: conversation.id });
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
  expect(await here.client.call('issues.list', { id: 1 })).toMatchObject({
    issues: [{ title: 'By me', status: 'Closed' }],
  });
  const curl = `curl -s -X PATCH ${here.service.url}/api/admin/issues -H 'content-type: application/json' -H 'authorization: Bearer ${here.env('through a server').BACKOFFICE_TOKEN}' -d '{"ids":[1],"set":{"title":"By a colleague"}}'`;
  const late = await script('late', `${curl}; sed -i 's/^title: .*/title: Too late/' "$1"`);
  const conflict = await editing(late, 'issues', 'edit', '1');
  expect(conflict.code).toBe(1);
  expect(conflict.text).toContain('Changed meanwhile: title is now By a colleague.');
  const [, kept = ''] = /Your text is kept in (\S+)\./.exec(conflict.text) ?? [];
  expect(await readFile(kept, 'utf8')).toMatch(/^title: Too late\nstatus: Closed\n/);
  const wrong = await script('wrong', `sed -i 's/^status: .*/status: Done/' "$1"`);
  const refused = await inTerminal(['issues', 'edit', '1'], {
    env: { ...here.env('on the database'), VISUAL: wrong },
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
  await here.service.signIn('user', 'tired@example.com');
  const words = 'admins deactivate tired@example.com';
  expect(await here.run(words)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'backoffice: Deactivate user tired@example.com? There is no terminal to confirm this. Add --yes to confirm.\n',
  });
  const asked = await run(words, [/Deactivate user tired@example\.com\?/, 'y']);
  expect(asked.text).toContain('Deactivated tired@example.com.');
});
