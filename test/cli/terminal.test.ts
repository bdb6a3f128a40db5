import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TerminalOptions, inTerminal as watchInTerminal } from '../support/run/process.ts';
import { inTerminal } from '../support/run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { commandsHere } from './commands-here.ts';

const here = commandsHere();

beforeAll(async () => {
  const { client } = here;
  await client.call('issues.create', { title: 'Evil \u001b[2J\u0007 title', severity: 'Critical' });
  await client.call('settings.update', { updates: { evil: '\u001b[2J\u0007\u009b2J' } });
  await client.call('conversations.create', { visitor_email: 'v@example.com', visitor_name: 'V\u001b[2J' });
});

const run = (words: string, { env, ...options }: TerminalOptions = {}) =>
  inTerminal(words.split(' '), { ...options, env: { ...here.env('on the database'), ...env } });

test('keeps IDs whole next to long names, because they are typed again', async () => {
  const { conversation } = await here.client.call('conversations.create', {
    visitor_email: 'm@example.com',
    visitor_name: 'Dr. Maximiliane '.repeat(9),
    subject: 'Long '.repeat(9),
  });
  const { text } = await run('conversations list --limit 1', { columns: 50 });
  expect(text).toMatch(new RegExp(`^${conversation.id} .* Dr\\..*… +Long.*…$`, 'm'));
});

// Editors that work on another machine open the browser of this one by it. macOS and Windows have one of their own.
test.runIf(process.platform === 'linux')('opens pages in the browser that BROWSER names', async () => {
  const folder = await temporaryFolder();
  const browser = join(folder, 'browser');
  const opened = join(folder, 'opened');
  await writeFile(browser, `#!/bin/sh\necho "$1" >> '${opened}.new' && mv '${opened}.new' '${opened}'\n`);
  await chmod(browser, 0o700);
  const { code, text } = await watchInTerminal(['issues', 'list', '--web', '--status', 'open'], {
    columns: 200,
    env: { BROWSER: browser, ...here.env('through a server') },
  });
  const page = `${here.service.url}/issues?status=Open`;
  expect({ code, text }).toEqual({ code: 0, text: `Opening ${page} in your browser.\n` });
  await expect.poll(() => readFile(opened, 'utf8').catch(() => ''), { timeout: 20_000 }).toBe(`${page}\n`);
});

test.each([
  'conversations list',
  'settings list',
  'settings get evil',
  'settings list --json',
  'issues list --csv',
  'events tail --since-id 0 --limit 4',
])('`%s` prints no control characters from its data', async (words) => {
  const { code, raw } = await run(words, { env: { NO_COLOR: '1' } });
  expect(code).toBe(0);
  expect(raw.trim()).not.toBe('');
  expect(raw.replaceAll(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
});

test('uses colours unless NO_COLOR is set or the output is a pipe', async () => {
  expect((await run('issues list')).raw).toContain('\u001b[31m');
  const plain = await run('issues list', { env: { NO_COLOR: '1' } });
  expect(plain.raw).not.toContain('\u001b');
  expect(plain.raw).toContain('Evil \uFFFD[2J\uFFFD title');
  const piped = await here.run('issues list');
  expect(piped.stdout).not.toContain('\u001b');
});

test('replaces control characters of e-mails in sentences and of exported settings', async () => {
  const evil = await here.service.signIn('user', 'a\u001bc\u001b]0;pwned\u0007\u009b31m@example.com');
  const named = await run(`admins delete ${evil.id} --dry-run`);
  expect(named.text).toMatch(/Would delete user a.*pwned.*@example\.com/);
  const exported = await run('settings export');
  for (const { raw } of [named, exported])
    for (const control of ['\u001bc', '\u001b]', '\u0007', '\u009b']) expect(raw).not.toContain(control);
});

test('draws the charts of the issues, and a bar for each day with new ones', async () => {
  const stats = await run('issues stats --period weekly');
  expect(stats.text).toMatch(/^1 issue\n\nBy age \(last 12 weeks\)\nIn the last hour:\n *Critical +1 +█+/);
  const trend = await run('issues trend --days 7');
  expect(trend.text).toMatch(/1 issue in 7 days \(UTC\)[\s\S]*\d{4}-\d\d-\d\d +1 +█+/);
  expect(trend.text.match(/\d{4}-\d\d-\d\d/g)).toHaveLength(7);
});

describe('with long names', () => {
  beforeAll(async () => {
    const word = 'hohenstein-wagenburg-lippe-'.repeat(4);
    const { client } = await here.service.signIn('superadmin', `${word}@example.com`);
    const visitor = { visitor_name: `Dr. Maximiliane ${word}`, visitor_email: `m@${word}.example` };
    await client.call('conversations.create', { ...visitor, subject: word, initial_message: word });
    await client.call('settings.update', { updates: { [word]: word } });
    await client.call('issues.create', { title: word, category: word });
  });

  test.each([
    ['conversations list', 50],
    ['settings list', 50],
    ['admins list', 80],
    ['sessions list', 50],
    ['issues list', 80],
    ['issues list', 50],
    ['audit list', 50],
    ['issues stats', 50],
  ])('`%s` fits into %i columns', async (words, columns) => {
    const { code, text } = await run(words, { columns });
    expect(code).toBe(0);
    expect(text).toContain('…');
    for (const line of text.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
  });
});

test('opens a long table in a pager, and ends with 0 when that is closed early', async () => {
  for (let n = 0; n < 30; n++) await here.client.call('issues.create', { title: `Of many ${n}` });
  const list = 'issues list --search many';
  const paged = await run(list, { env: { BACKOFFICE_PAGER: "sed 's/^/page: /'" } });
  expect(paged.text).toMatch(/^page: +ID {2}TITLE/);
  expect(paged.text.match(/^page: .*Of many/gm)).toHaveLength(30);
  const closed = await run(`${list} --limit 0`, { env: { BACKOFFICE_PAGER: 'head -n 2' } });
  expect(closed.code).toBe(0);
  expect(closed.text.match(/Of many/g)).toHaveLength(1);
  for (const [words, BACKOFFICE_PAGER] of [
    [`${list} --no-pager`, 'head -n 2'],
    [`${list} --limit 9`, 'head -n 2'],
    [list, 'no-such-pager'],
  ] as const) {
    const plain = await run(words, { env: { BACKOFFICE_PAGER } });
    expect(plain.text.match(/Of many/g)?.length).toBeGreaterThan(8);
  }
  const { text } = await run('issues list --limit 2');
  expect(text).toMatch(/\nShowing the newest 2 of \d+ issues\. Use --limit 0 to show all\.\n$/);
});

describe('a question', () => {
  const runWith = (env: TerminalOptions['env'], words: string, ...answers: [at: RegExp, type: string][]) =>
    watchInTerminal(words.split(' '), {
      env: { ...here.env('on the database'), ...env },
      answers: answers.map(([at, type]) => ({ at, type })),
    });
  const answering = (words: string, ...answers: [at: RegExp, type: string][]) =>
    runWith({}, words, ...answers);

  test('asks for a password twice, without showing it, and changes nothing if the two differ', async () => {
    for (const [repeated, code, said] of [
      ['another one', 1, 'The passwords do not match. Nothing was changed.'],
      ['a hidden word', 0, 'Created admin ada@example.com'],
    ] as const) {
      const { text, ...ended } = await answering(
        'admins create --email ada@example.com',
        [/Password/, 'a hidden word\r'],
        [/Repeat the password/, `${repeated}\r`],
      );
      expect(ended.code).toBe(code);
      expect(text).toContain(said);
      expect(text).not.toContain('a hidden word');
    }
  });

  test('asks before deleting an admin, with its name and no as the default', async () => {
    await here.service.signIn('user', 'gone@example.com');
    const question = /Delete user gone@example\.com \(admin_\w+\)\?/;
    for (const [key, code, said] of [
      ['\r', 1, 'Nothing was changed.'],
      ['\u0003', 130, 'Nothing was changed.'],
      ['y', 0, 'Deleted gone@example.com.'],
    ] as const) {
      const answered = await answering('admins delete gone@example.com', [question, key]);
      expect(answered).toMatchObject({ code, text: expect.stringContaining(said) });
    }
  });

  test('asks on the terminal when standard input is a pipe', async () => {
    await here.sql(`insert into issues (title) select 'Issue ' || n from generate_series(1, 21) as n`);
    const ids = Array.from({ length: 21 }, (_, index) => index + 1).join('\\n');
    const { code, text } = await watchInTerminal([], {
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
    const folder = await temporaryFolder();
    const [editor, seen] = [join(folder, 'editor'), join(folder, 'seen')];
    const env = { VISUAL: `sh ${editor}` };
    /** Runs a command with an editor that is this script. Its first argument is the file. */
    const editing = async (script: string, words: string) => {
      await writeFile(editor, script);
      return await run(words, { env });
    };
    const fails = (text: string) => ({ code: 1, text: expect.stringContaining(text) });

    const reply = `conversations reply ${conversation.id}`;
    const notes = `cp "$1" ${seen}; stat -c %a "$1" >> ${seen}`;
    expect(await editing(`${notes}; sed -i '1s/.*/# It is here./' "$1"`, reply)).toMatchObject({ code: 0 });
    const { messages } = await here.client.call('messages.list', { conversation_id: conversation.id });
    expect(messages.at(-1)?.content).toBe('# It is here.');
    expect(await readFile(seen, 'utf8')).toMatch(
      /^\n\n# -+ >8 -+\n# Write the reply above this line[\s\S]*# {3}Where is it\?\n600\n$/,
    );
    expect(await editing('true', reply)).toMatchObject(fails('The reply is empty. Nothing was changed.'));

    // What cannot be read is not lost either.
    const unreadable = await editing(`printf '\\377' > "$1"`, reply);
    expect(unreadable).toMatchObject({ code: 2, text: expect.stringMatching(/Your text is kept in \S+\./) });

    const retitle = (title: string) => `sed -i 's/^title: .*/title: ${title}/' "$1"`;
    expect(await editing(retitle('By me'), 'issues edit 1')).toMatchObject({ code: 0 });
    expect(await here.client.call('issues.list', { id: 1 })).toMatchObject({
      issues: [{ title: 'By me', status: 'Closed' }],
    });
    const meanwhile = [
      `curl -s -X PATCH ${here.service.url}/api/admin/issues -H 'content-type: application/json'`,
      `-H 'authorization: Bearer ${here.env('through a server').BACKOFFICE_TOKEN}'`,
      `-d '{"ids":[1],"set":{"title":"By a colleague"}}'`,
    ].join(' ');
    const conflict = await editing(`${meanwhile}; ${retitle('Too late')}`, 'issues edit 1');
    expect(conflict).toMatchObject(fails('Changed meanwhile: title is now By a colleague.'));
    const [, kept = ''] = /Your text is kept in (\S+)\./.exec(conflict.text) ?? [];
    expect(await readFile(kept, 'utf8')).toMatch(/^title: Too late\nstatus: Closed\n/);

    await writeFile(editor, `sed -i 's/^status: .*/status: Done/' "$1"`);
    expect(await runWith(env, 'issues edit 1', [/Edit it again\?/, 'n'])).toMatchObject(
      fails('Line 2: status is wrong.'),
    );
    expect(await run('issues edit 1', { env: { VISUAL: 'none-such-editor' } })).toMatchObject(
      fails('Cannot find the editor none-such-editor. Set the variable EDITOR to yours.'),
    );
  });

  test('without a terminal is an error that has the question and --yes', async () => {
    await here.service.signIn('user', 'tired@example.com');
    await here.fails(
      2,
      'admins deactivate tired@example.com',
      'Deactivate user tired@example.com? There is no terminal to confirm this. Add --yes to confirm.',
    );
  });
});
