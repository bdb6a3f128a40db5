import { beforeEach, expect, test } from 'vitest';
import { answerAfter } from '../../support/postgres.ts';
import { inTerminal } from '../../support/run/process.ts';
import { checksOf, commandsHere, containing, failed } from '../commands-here.ts';

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
const { succeeds, fails } = checksOf(run);
const threadOf = () => here.client.call('messages.list', { conversation_id: id });

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

test('says where a reply is not mailed, and shows what became of one that was', async () => {
  const sent = await run(`reply ${id} Here.`);
  expect(sent.stderr).toBe('Visitors get no e-mail: SMTP_URL is not set.\n');
  const message = /message (\d+)/.exec(sent.stdout)?.[1];
  await here.sql(`
    insert into message_deliveries (message_id, mail_id, state, error)
    values (${message}, 'x', 'failed', E'It answered: 550 \\x1b[31mNo such user')
  `);
  const { stdout } = await run(`show ${id}`);
  expect(stdout).toMatch(
    / · message \d+ · e-mail failed\n {2}Here\.\n {2}! It answered: 550 \uFFFD\[31mNo such user\n$/,
  );
  await fails(2, `resend ${message}`, 'Visitors get no e-mail: SMTP_URL is not set.');
});

test('shows a thread in the columns of a terminal, without control characters', async () => {
  await here.client.call('messages.create', { conversation_id: id, content: 'x'.repeat(200) });
  const env = here.env('on the database');
  const { code, text, raw } = await inTerminal(['conversations', 'show', id], { columns: 40, env });
  expect(code).toBe(0);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  expect(raw).not.toContain('\u001b[2J');
  expect(raw).not.toContain('\u001b[31mI need');
});

test('shows the last messages, and how to show the previous ones', async () => {
  for (const content of ['one', 'two', 'three']) await run(`receive ${id} ${content}`);
  const last = await succeeds(`show ${id} --limit 2`, / {2}two\n.* {2}three\n$/s);
  expect(last.stdout).not.toContain('  one');
  const [before] = /--before \S+/.exec(last.stderr) ?? [];
  await succeeds(`show ${id} --limit 2 ${before}`, /Where is it\?.* {2}one\n$/s);
  await succeeds(`show ${id} --limit 0`, /Where is it\?.*three\n$/s);
  const { messages } = await here.printed(`conversations show ${id} --json sender_type,content`);
  expect(messages.at(-1)).toEqual({ sender_type: 'visitor', content: 'three' });
});

test('opens a conversation, and replies with a given text or standard input, in the name of the operator', async () => {
  await succeeds(
    'create --email v@example.com --name Visitor --message Hello',
    /^Started conversation conv_\d+_[a-z0-9]{1,7}\.\n$/,
  );
  await succeeds(`reply ${id} Here.`, /^Sent message \d+ to Ada\uFFFD\[2J\.\n$/);
  await run(`reply ${id}`, 'Two\nlines\n');
  await run(`reply ${id} -`, 'Read');
  const { messages } = await threadOf();
  expect(messages.slice(1).map(({ content }) => content)).toEqual(['Here.', 'Two\nlines', 'Read']);
  expect(new Set(messages.map(({ sent_by }) => sent_by)).size).toBe(2);
  await fails(2, `reply ${id}`, 'The reply is empty.');
});

test('proposes, edits, approves and rejects drafts', async () => {
  const drafts = async () => (await threadOf()).messages.map(({ ai_draft }) => ai_draft);
  await fails(3, `draft approve ${id}`, containing('no draft'));
  expect(await run(`draft propose ${id}`, 'On its way.')).toMatchObject({ code: 0 });
  await fails(1, `draft propose ${id} Another`);
  await succeeds(`show ${id}`, containing('  Draft, not sent:\n  | On its way.\n'));
  await succeeds(`draft edit ${id} Soon.`);
  expect(await drafts()).toEqual(['Soon.']);
  await succeeds(`draft approve ${id} --dry-run`, 'Would send to Ada\uFFFD[2J:\n  Soon.');
  expect(await drafts()).toEqual(['Soon.']);
  // What a colleague makes of a draft meanwhile is not sent unread.
  const draftOf = 'update conversation_messages set ai_draft = $2 where conversation_id = $1';
  const late = await answerAfter(here, [draftOf, [id, 'Never.']], () => run(`draft approve ${id}`));
  expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('Changed meanwhile') });
  expect(await drafts()).toEqual(['Never.']);
  await succeeds(`draft edit ${id} Soon.`);
  await succeeds(`draft approve ${id}`, /^Sent message \d+ to .*:\n {2}Soon\.\n$/);
  const [asked, sent] = (await threadOf()).messages;
  expect(sent).toMatchObject({ content: 'Soon.', from_draft_of: asked?.id });

  const notHers = `Message ${sent?.id} does not exist in conversation ${id}, or it is not from its visitor.`;
  await fails(3, `draft propose ${id} Text --message ${sent?.id}`, containing(notHers));
  await run(`receive ${id} More?`);
  await run(`draft propose ${id} Never`);
  await fails(3, `draft reject ${id} --message ${asked?.id}`);
  await fails(2, `draft reject ${id}`, containing('--yes'));
  expect(await drafts()).toEqual([null, null, 'Never']);
  await succeeds(`draft reject ${id} --yes`);
  expect(await drafts()).toEqual([null, null, null]);
});

test('changes a status, marks as read, and deletes after a confirmation', async () => {
  for (const words of [`set-status ${id} resolved --dry-run`, `read ${id} --dry-run`])
    await succeeds(words, 'Would change 1 conversation.');
  expect((await threadOf()).conversation).toMatchObject({ status: 'open', unread_count: 1 });
  for (const [words, said] of [
    [`set-status ${id} resolved`, `Conversation ${id} is resolved.`],
    [`read ${id}`, 'Marked 1 message as read.'],
    [`unread ${id}`, 'Marked 1 message as unread.'],
    [`read ${id}`, 'Marked 1 message as read.'],
  ] as const)
    await succeeds(words, said);
  await succeeds(`delete ${id} --dry-run`, `Would delete the conversation ${id} with Ada\uFFFD[2J.`);
  await fails(2, `delete ${id}`, containing('--yes'));
  expect((await threadOf()).conversation).toMatchObject({ status: 'resolved', unread_count: 0 });
  await succeeds(`delete ${id} --yes`);
  expect((await threadOf()).conversation).toBeNull();
});

test('a conversation that is unknown ends each command with 3', async () => {
  const unknown = 'No conversation none. Run `backoffice conversations list` to see all.';
  const verbs = ['show', 'reply', 'receive', 'read', 'unread', 'history', 'delete --yes'];
  for (const verb of [...verbs, 'draft reject', 'draft propose', 'draft approve'])
    expect(await run(`${verb} none`, 'text'), verb).toEqual(failed(3, unknown));
});

test('erases a visitor after it has looked, and nothing of one that is not there', async () => {
  const counts = { conversations: 1, messages: 1, mentions: 0 };
  await here.client.call('conversations.create', {
    visitor_email: 'gone@example.com',
    visitor_name: 'Gone',
    initial_message: 'Forget me.',
  });
  const erase = 'visitors erase gone@example.com';
  const nobody = 'There is nothing about gone@example.con. Check the address.';
  for (const end of ['', ' --dry-run', ' --yes'])
    expect(await here.run(`visitors erase gone@example.con${end}`)).toEqual(failed(3, nobody));
  expect(await here.printed(`${erase} --dry-run --json`)).toMatchObject(counts);
  await here.fails(2, erase, containing(': 1 conversation with 1 message'));
  await here.succeeds(
    `${erase} --yes`,
    /^Deleted 1 conversation with 1 message, and erased the visitor from /,
  );
  await here.fails(3, `${erase} --yes`);
});

test('takes in a mail of a visitor, and tells the mail server to try again if that fails', async () => {
  const mail = 'From: Mail <mail@example.com>\nSubject: By pipe\nMessage-ID: <pipe@x.example>\n\nHello!\n';
  expect(await here.runWith(mail, 'mail deliver')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await here.runWith(mail, 'mail deliver')).toMatchObject({ code: 0 });
  const { conversations } = await here.client.call('conversations.list', {
    visitor_email: 'mail@example.com',
  });
  expect(conversations).toMatchObject([{ subject: 'By pipe', last_message: 'Hello!' }]);
  expect(await here.runWith('', 'mail deliver')).toMatchObject({
    code: 75,
    stderr: expect.stringMatching(/./),
  });
});
