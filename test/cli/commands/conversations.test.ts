import { beforeEach, expect, test } from 'vitest';
import { inTerminal } from '../../support/run/process.ts';
import { commandsHere, done, failed, failedLike } from '../commands-here.ts';

const here = commandsHere();
let id: string;

beforeEach(async () => {
  const { conversation } = await here.client.call('conversations.create', {
    visitor_email: 'ada@example.com',
    visitor_name: 'Ada\u001b[2J',
    subject: 'An invoice',
    initial_message: 'Where is it?\n\u001b[31mI need it. '.concat('Please. '.repeat(20)),
  });
  id = conversation.id;
});

const run = (words: string, stdin = '') => here.runWith(stdin, `conversations ${words}`);
const threadOf = () => here.client.call('messages.list', { conversation_id: id });

test('opens a conversation', async () => {
  const { stdout } = await run('create --email v@example.com --name Visitor --message Hello');
  expect(stdout).toMatch(/^Started conversation conv_\d+_[a-z0-9]{1,7}\.\n$/);
});

test('shows a thread, and marks it as read up to the newest message shown', async () => {
  await here.client.call('issues.create', { title: 'Invoices', severity: 'High', conversation_id: id });
  const { code, stdout, stderr } = await run(`show ${id} --read`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '\nMarked 1 message as read.\n' });
  expect(stdout.split('\n')).toEqual([
    'An invoice',
    'Ada\uFFFD[2J <ada@example.com>',
    `${id} · open · 1 unread`,
    expect.stringMatching(/^issue \d+: Invoices \(Open, High\)$/),
    '',
    expect.stringMatching(/^Ada\uFFFD\[2J · \d{4}-\d\d-\d\d \d\d:\d\d UTC, just now · message \d+ · unread$/),
    '  Where is it?',
    expect.stringMatching(/^ {2}\uFFFD\[31mI need it. Please\./),
    '',
  ]);
  expect((await threadOf()).conversation?.unread_count).toBe(0);
});

test.each([40, 72, 160])(
  'shows a thread within %i columns of a terminal, without control characters',
  async (columns) => {
    await here.client.call('messages.create', { conversation_id: id, content: 'x'.repeat(200) });
    const env = here.env('on the database');
    const { code, text, raw } = await inTerminal(['conversations', 'show', id], { columns, env });
    expect(code).toBe(0);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(Math.min(columns, 100));
    expect(raw).not.toContain('\u001b[2J');
    expect(raw).not.toContain('\u001b[31mI need');
  },
);

test('shows the last messages, and how to show the previous ones', async () => {
  for (const content of ['one', 'two', 'three']) await run(`receive ${id} ${content}`);
  const last = await run(`show ${id} --limit 2`);
  expect(last.stdout).toMatch(/ {2}two\n.* {2}three\n$/s);
  expect(last.stdout).not.toContain('  one');
  const [before] = /--before \S+/.exec(last.stderr) ?? [];
  const earlier = await run(`show ${id} --limit 2 ${before}`);
  expect(earlier.stdout).toMatch(/Where is it\?.* {2}one\n$/s);
  expect((await run(`show ${id} --limit 0`)).stdout).toMatch(/Where is it\?.*three\n$/s);
  const { messages } = await here.printed(`conversations show ${id} --json sender_type,content`);
  expect(messages.slice(1)).toEqual(
    ['one', 'two', 'three'].map((content) => ({ sender_type: 'visitor', content })),
  );
});

test('replies with a given text or standard input, in the name of the operator', async () => {
  expect(await run(`reply ${id} Here.`)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Sent message \d+ to Ada\uFFFD\[2J\.\n$/),
  });
  await run(`reply ${id}`, 'Two\nlines\n');
  await run(`reply ${id} -`, 'Read');
  const { messages } = await threadOf();
  expect(messages.slice(1).map(({ content }) => content)).toEqual(['Here.', 'Two\nlines', 'Read']);
  expect(new Set(messages.map(({ sent_by }) => sent_by)).size).toBe(2);
  expect(await run(`reply ${id}`)).toMatchObject(failed(2, 'The reply is empty.'));
});

test('proposes, edits, approves and rejects drafts', async () => {
  const drafts = async () => (await threadOf()).messages.map(({ ai_draft }) => ai_draft);
  const none = await run(`draft approve ${id}`);
  expect(none).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('no draft') });
  expect(await run(`draft propose ${id}`, 'On its way.')).toMatchObject({ code: 0 });
  expect(await run(`draft propose ${id} Another`)).toMatchObject({ code: 1, stdout: '' });
  expect((await run(`show ${id}`)).stdout).toContain('  Draft, not sent:\n  | On its way.\n');
  expect(await run(`draft edit ${id} Soon.`)).toMatchObject({ code: 0 });
  expect(await drafts()).toEqual(['Soon.']);
  const dry = await run(`draft approve ${id} --dry-run`);
  expect(dry.stdout).toBe('Would send to Ada\uFFFD[2J:\n  Soon.\n');
  const unsent = await here.printed(`conversations draft approve ${id} --dry-run --json conversation_id`);
  expect(unsent).toEqual({ conversation_id: id });
  expect(await drafts()).toEqual(['Soon.']);
  expect((await run(`draft approve ${id}`)).stdout).toMatch(/^Sent message \d+ to .*:\n {2}Soon\.\n$/);
  const [asked, sent] = (await threadOf()).messages;
  expect(sent).toMatchObject({ content: 'Soon.', from_draft_of: asked?.id });

  expect(await run(`draft propose ${id} Text --message ${sent?.id}`)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      `Message ${sent?.id} does not exist in conversation ${id}, or it is not from its visitor.`,
    ),
  });
  await run(`receive ${id} More?`);
  await run(`draft propose ${id} Never`);
  expect(await run(`draft reject ${id} --message ${asked?.id}`)).toMatchObject({ code: 3 });
  const unconfirmed = { code: 2, stderr: expect.stringContaining('--yes') };
  expect(await run(`draft reject ${id}`)).toMatchObject(unconfirmed);
  expect(await drafts()).toEqual([null, null, 'Never']);
  expect(await run(`draft reject ${id} --yes`)).toMatchObject({ code: 0 });
  expect(await drafts()).toEqual([null, null, null]);
});

test('changes a status, marks as read, and deletes after a confirmation', async () => {
  expect(await run(`set-status ${id} resolved --expected pending`)).toMatchObject(
    failed(1, 'Changed meanwhile: status is now open.'),
  );
  for (const [words, said] of [
    [`set-status ${id} resolved --expected open`, `Conversation ${id} is resolved.`],
    [`read ${id} --up-to 1`, 'Marked 0 messages as read.'],
    [`read ${id}`, 'Marked 1 message as read.'],
    [`unread ${id}`, 'Marked 1 message as unread.'],
    [`unread ${id} --from 1`, 'Marked 0 messages as unread.'],
    [`read ${id}`, 'Marked 1 message as read.'],
  ] as const)
    expect(await run(words)).toMatchObject(done(`${said}`));
  expect((await run(`delete ${id} --dry-run`)).stdout).toContain(id);
  expect(await run(`delete ${id}`)).toMatchObject(failedLike(2, '--yes'));
  expect((await threadOf()).conversation).toMatchObject({ status: 'resolved', unread_count: 0 });
  expect(await run(`delete ${id} --yes`)).toMatchObject({ code: 0 });
  expect((await threadOf()).conversation).toBeNull();
});

const verbs = ['show', 'reply', 'receive', 'read', 'delete --yes'];
test.each([...verbs, 'draft reject', 'draft propose', 'draft approve'])(
  '`%s` ends with 3 for an unknown conversation',
  async (verb) => {
    expect(await run(`${verb} none`, 'text')).toEqual(
      failed(3, 'No conversation none. Run `backoffice conversations list` to see all.'),
    );
  },
);
