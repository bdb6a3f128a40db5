import { readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { beforeEach, describe, expect, test } from 'vitest';
import { keepText } from '../../../../cli/dashboard/app/drafts.ts';
import { memoryPreferences } from '../../../../cli/dashboard/app/preferences.ts';
import { NotConnectedError } from '../../../../cli/errors.ts';
import { cellsOf } from '../../../../cli/terminal/cells.ts';
import type { Client } from '../../../../src/contract/client/client.ts';
import { withClient } from '../../../support/postgres/server.ts';
import type { Dashboard } from '../../../support/run/dashboard.ts';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

const size = { columns: 160, rows: 40 };
const host = { keep: (text: { title: string; text: string }) => keepText(tmpdir(), text) };

describe('the conversations screen', () => {
  const tests = dashboardHere();
  let dashboard: Dashboard;
  let client: Client;
  let id: string;
  let asked: number;
  const threadOf = () => client.call('messages.list', { conversation_id: id });
  const messages = async () => (await threadOf()).messages;
  /** Adds a message of the visitor. */
  const receive = (content: string) =>
    client.call('messages.create', { conversation_id: id, content, sender_type: 'visitor' });
  /** Reads the conversation of the test. */
  const read = () => dashboard.after('enter', '| Gladly. It is in your inbox.');

  beforeEach(async () => {
    ({ client } = tests);
    await withClient(tests.service.databaseUrl, (sql) => sql.query('delete from conversations'));
    const visitor = { visitor_email: 'ada@example.com', visitor_name: 'Ada Byron', subject: 'An invoice' };
    const asks = { ...visitor, initial_message: 'Could you send it again?' };
    ({ id } = (await client.call('conversations.create', asks)).conversation);
    asked = (await messages())[0]?.id ?? 0;
    await client.call('messages.updateDraft', { id: asked, ai_draft: 'Gladly. It is in your inbox.' });
    dashboard = tests.open({ ...size, host });
    await dashboard.after('3', /❯ +1● +Ada Byron/);
  });

  test('keeps a reply whose conversation was deleted in a file, and says where', async () => {
    await dashboard.after('r "It is in your inbox."', '── Reply to Ada Byron');
    await client.call('conversations.delete', { id });
    const said = await dashboard.shows(/Your unsent reply is\s+in\s+\S+\.txt\./);
    const [, file = ''] = /reply is\s+in\s+(\S+)\.$/m.exec(said) ?? [];
    expect(await readFile(file, 'utf8')).toBe('It is in your inbox.\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await rm(file);
    expect(dashboard.app.unfinished()).toEqual([]);
  });

  test('shows what becomes of the mails of replies, and sends the latest again that failed', async () => {
    await dashboard.after('enter', 'Visitors get no e-mail: SMTP_URL is not set.');
    const { id: reply } = await client.call('messages.create', {
      conversation_id: id,
      content: 'Here it is.',
    });
    await withClient(tests.service.databaseUrl, (sql) =>
      sql.query(
        `insert into message_deliveries (message_id, mail_id, state, error) values ($1, 'x', 'failed', $2)`,
        [reply, 'It answered: 550 No such user'],
      ),
    );
    await dashboard.after('ctrl+r', /e-mail failed.*\n.*Here it is\..*\n.*! It answered: 550 No such user/);
    await dashboard.shows('f sends the e-mail again');
    await dashboard.after('f', '✗ Visitors get no e-mail: SMTP_URL is not set.');
  });

  test('folds what a mail quotes, and lists its files', async () => {
    const message = Buffer.from(
      'From: ada@example.com\nContent-Type: multipart/mixed; boundary=b\n\n' +
        '--b\n\nThank you!\n\nOn Monday Bob <bob@example.com> wrote:\n> the old text\n' +
        '--b\nContent-Disposition: attachment; filename=invoice.pdf\n\n%PDF-1.7\n--b--\n',
    ).toString('base64');
    await client.call('mail.receive', { message });
    await dashboard.shows(/2 new|Thank you!/);
    const screen = await dashboard.after('g enter', '⎘ invoice.pdf (9 bytes)');
    expect(screen).toMatch(/via e-mail/);
    expect(screen).toContain('… 2 quoted lines');
    expect(screen).not.toContain('> the old text');
  });

  test('sends a draft after a question, unless somebody has changed it since it was shown', async () => {
    await read();
    await dashboard.shows('Draft, not sent: a sends, e edits, x rejects');
    await dashboard.after('a', /Send this to Ada Byron\?\n\n {2}Gladly\. It is in your inbox\./);
    await client.call('messages.updateDraft', { id: asked, ai_draft: 'Sorry, it is lost.' });
    await dashboard.after('y', 'Changed meanwhile: ai_draft is now Sorry, it is lost.');
    expect(await messages()).toHaveLength(1);
    await dashboard.shows('| Sorry, it is lost.');
    await dashboard.after('a', /\n {2}Sorry, it is lost\./);
    await dashboard.after('y', '✓ Sent the draft to Ada Byron.');
    expect(await messages()).toMatchObject([
      { id: asked },
      { content: 'Sorry, it is lost.', from_draft_of: asked },
    ]);
    await dashboard.hides('Draft, not sent');
    await dashboard.after('a', 'No draft is waiting here.');
  });

  test('sends an edited draft, on the second try if somebody has changed the draft', async () => {
    await dashboard.after('e', '── Draft to Ada Byron');
    dashboard.write(' Now.');
    await client.call('messages.updateDraft', { id: asked, ai_draft: 'Sorry, it is lost.' });
    await dashboard.after(
      'alt+enter',
      /Changed meanwhile: ai_draft is now Sorry, it is lost\.\s+Ctrl-S again/,
    );
    expect(await messages()).toHaveLength(1);
    await dashboard.after('alt+enter', '✓ Sent to Ada Byron.');
    expect((await messages())[1]).toMatchObject({
      content: 'Gladly. It is in your inbox. Now.',
      from_draft_of: asked,
    });
  });

  test('rejects a draft, and marks messages as read or unread', async () => {
    await dashboard.after('x', /Reject this draft to Ada Byron\?\n\n {2}Gladly\./);
    await dashboard.after('y', '✓ Rejected the draft.');
    expect((await messages())[0]?.ai_draft).toBeNull();
    await dashboard.after('m', 'The conversation with Ada Byron: marked as read.');
    await dashboard.hides('1●');
    await dashboard.after('M', '✓ Marked the newest message as unread.');
    await dashboard.after('z', 'Restored');
    await dashboard.after('enter', /unread/);
    await dashboard.after('m', '✓ Marked 1 message as read.');
    expect((await threadOf()).conversation?.unread_count).toBe(0);
  });

  test('opens at the first unread message, and marks only messages that were on the screen', async () => {
    await client.call('conversations.read', { id });
    for (let message = 1; message <= 30; message += 1) await receive(`Message ${message}`);
    await dashboard.shows('30●');
    const shown = await dashboard.after('enter', /Message 1\n|Message 1 /);
    expect(shown).not.toContain('Could you send it again?');
    await dashboard.after('m', /Marked \d+ messages as read\. \d+ messages below are unread\./);
    await dashboard.after('G', /Message 30 *$/m);
    await dashboard.after('m', /Marked \d+ messages as read\.$/m);
  });

  test('assigns, labels, comments on, and changes the status of what is read, and undoes that', async () => {
    await read();
    await dashboard.after('A', 'grace');
    await dashboard.after('"grace" enter', 'The conversation with Ada Byron: assigned to grace');
    await dashboard.shows('assigned to grace@example.com');
    await dashboard.after('z', '✓ Restored 1 conversation');
    await dashboard.hides('assigned to grace@example.com');
    await dashboard.after('# "billing" enter', /labels: billing/);
    await dashboard.after('+', '── Comment on the conversation with Ada Byron');
    await dashboard.after('"Called her." ctrl+s', /✎ [^\n]+only for the team\n.* Called her\./);
    expect(await messages()).toHaveLength(1);
    await dashboard.after('C', /── Comments on the conversation with Ada Byron[^\n]*\n.*Called her\./);
    await dashboard.after('enter', '── Edit the comment');
    await dashboard.after('" Twice." ctrl+s', '✓ Edited the comment.');
    await dashboard.shows('Called her. Twice.');
    await dashboard.after('s j enter', '✓ The conversation with Ada Byron: status pending. z undoes it.');
    await dashboard.after(
      'H',
      /── History of the conversation with Ada Byron[^\n]*\n.*status: open → pending/,
    );
    await dashboard.after('enter', 'Undo the conversation with Ada Byron: status pending?');
    await dashboard.after('y', '✓ Restored 1 conversation');
    expect((await threadOf()).conversation?.status).toBe('open');
  });

  test('changes several conversations and all that match, undoes that, and keeps to the one that is read', async () => {
    await client.call('conversations.create', { visitor_email: 'b@example.com', visitor_name: 'Bob' });
    await client.call('conversations.create', { visitor_email: 'c@example.com', visitor_name: 'Cy' });
    await dashboard.shows(/ +Cy .*\n.* +Bob .*\n❯ +[•]? +1● +Ada Byron/);
    const closed = async () => {
      const { conversations } = await client.call('conversations.list', { status: 'closed' });
      return conversations.map(({ visitor_name }) => visitor_name).sort();
    };
    await dashboard.after('g V j j', /✓ 3 conversations/);
    await dashboard.after('V k space', /✓ 2 conversations/);
    await dashboard.after('s', '── Status of 2 conversations');
    await dashboard.after('G enter', '✓ 2 conversations: status closed. z undoes it.');
    expect(await closed()).toEqual(['Ada Byron', 'Cy']);
    await dashboard.after('z', '✓ Restored 2 conversations');
    expect(await closed()).toEqual([]);
    await dashboard.after('* g enter s', '── Status of the conversation with Cy');
    dashboard.press('esc', 'esc', 'esc');
    await dashboard.hides('✓ ');
  });

  test('filters by fields, and opens with a view of an earlier version', async () => {
    const preferences = memoryPreferences({
      conversationViews: {
        Waiting: { filter: 'is:unread', sort: 'age', columns: ['new', 'visitor', 'age'] },
      },
      defaultConversationView: 'Waiting',
    });
    dashboard.close();
    dashboard = tests.open({ ...size, preferences });
    await dashboard.after('3', /Waiting {2}is:unread\n +NEW +VISITOR +UPDATED ▼\n❯ +1● +Ada Byron/);
    await dashboard.after('/ "status:op is:unread ada"', '/ status:op is:unread ada');
    await dashboard.after('ctrl+u "status:lost"', 'No status “lost”. Use open, pending, resolved or closed.');
    await dashboard.after('esc w', /Unresolved +status:open,pending/);
    await dashboard.after('j "x" k k enter c', /✓ status[\s\S]* {3}assignee[\s\S]*✓ labels/);
  });

  test('inserts a saved reply at the cursor, with its placeholders filled in', async () => {
    const saved = {
      title: 'On its way',
      content: 'Hello {{visitor_name}}, it is on its way. {{admin_name}}',
    };
    await client.call('savedReplies.create', { shortcut: 'shipped', ...saved });
    await client.call('savedReplies.create', { shortcut: 'refund', title: 'Refund', content: 'Refunded.' });
    await dashboard.after('r "And/or . Bye" left left left left left ctrl+t', '── Saved replies');
    await dashboard.shows('/refund');
    dashboard.write('ship');
    await dashboard.hides('/refund');
    dashboard.press('enter');
    // The dashboard acts as an operator here, who has no name.
    await dashboard.shows('And/or Hello Ada Byron, it is on its way. {{admin_name}}. Bye');
    await dashboard.shows('{{admin_name}} is not filled in.');
    await dashboard.after('ctrl+t "tmp"', 'No saved reply matches.');
    dashboard.press('esc', 'esc');
    expect(await messages()).toHaveLength(1);
  });

  test('keeps an unsent reply, and sends it in full although a message arrives while it is written', async () => {
    await dashboard.after('r "Not yet" esc q', /Not saved: reply to Ada Byron \(conv_\w+\)\. Quit\?/);
    await dashboard.after('n r', 'Not yet');
    dashboard.press('ctrl+u');
    dashboard.write('Gladly: it is ');
    await receive('And the one for April, please.');
    await dashboard.shows('And the one for April, please.');
    await dashboard.after('"in your inbox." enter "Both of them." ctrl+s', '✓ Sent to Ada Byron.');
    await dashboard.shows(/ {4}Both of them\./);
    expect((await messages()).at(-1)?.content).toBe('Gladly: it is in your inbox.\nBoth of them.');
  });

  test('sends a reply once, although it is sent again because nobody answered', async () => {
    dashboard.close();
    const { access } = tests;
    let isLost = true;
    const call: typeof access.call = async (operation, ...input) => {
      const answer = await access.call(operation, ...input);
      if (operation === 'messages.create' && isLost)
        throw new NotConnectedError('The server did not answer.');
      return answer;
    };
    dashboard = tests.openWith({ ...access, call }, size);
    await dashboard.after('3', /❯ +1● +Ada Byron/);
    await dashboard.after('r "It is in your inbox." ctrl+s', 'Whether it was sent is not known.');
    isLost = false;
    await dashboard.after('ctrl+s', '✓ Sent to Ada Byron.');
    expect(await messages()).toHaveLength(2);
  });

  test('reports an issue from a conversation, and leads from one to the other and back', async () => {
    await read();
    await dashboard.after('i', /── New issue[\s\S]*An invoice/);
    await dashboard.after('ctrl+s', /issue \d+: An invoice \(Open, Low\)/);
    await dashboard.after('o', /▸1 Issues[\s\S]*An invoice/);
    await dashboard.after('enter', '→ conversation: An invoice');
    await dashboard.after('o', /▸3 Conversations[\s\S]*── An invoice/);
    await dashboard.shows('Could you send it again?');
    await dashboard.after('esc', '▸1 Issues');
  });

  test('makes control characters of a visitor harmless everywhere', async () => {
    const name = 'Mal\u001B[7;31mHACK\u001B[0m\nSECOND\u001B]8;;http://evil.example\u0007link';
    const { conversation } = await client.call('conversations.create', {
      visitor_email: 'mal@example.com',
      visitor_name: name,
      subject: `Of ${name}`,
      initial_message: name,
    });
    const [first] = (await client.call('messages.list', { conversation_id: conversation.id })).messages;
    await client.call('messages.updateDraft', { id: first?.id ?? 0, ai_draft: `To ${name}` });
    await client.call('comments.create', { conversation_id: conversation.id, content: name });
    await dashboard.shows(/ +1● +Mal/);
    await dashboard.after('g enter', /Mal\uFFFD\[7;31mHACK[\s\S]*only for the team/);
    for (const [key, sign] of [
      ['r', '── Reply to Mal'],
      ['e', '── Draft to Mal'],
      ['a', 'Send this to Mal'],
      ['s', '── Status of the conversation with Mal'],
      ['D', 'Delete the conversation with Mal'],
      ['C', '── Comments on the conversation with Mal'],
      ['m', '✓ Marked 1 message as read.'],
    ] as const) {
      dashboard.press(key);
      const frame = await dashboard.shows(sign);
      expect(frame.split('\n'), key).toHaveLength(40);
      for (const line of frame.split('\n')) expect(cellsOf(line), line).toBeLessThanOrEqual(160);
      for (const evil of ['\u001B[7;31m', '\u001B[31mHACK', '\u001B]8', '\u0007'])
        expect(dashboard.raw(), key).not.toContain(evil);
      if (key !== 'm') dashboard.press('esc');
    }
    await dashboard.after('r "No." ctrl+s', '✓ Sent to Mal\uFFFD');
    await client.call('conversations.delete', { id: conversation.id });
  });

  test('deletes a conversation after a question', async () => {
    await read();
    await dashboard.after(
      'D',
      'Delete the conversation with Ada Byron with all messages? This cannot be undone.',
    );
    await dashboard.after('y', '✓ Deleted the conversation with Ada Byron.');
    expect((await threadOf()).conversation).toBeNull();
    await dashboard.hides('── An invoice');
  });

  test('changes all that match a filter, in one undo', async () => {
    await client.call('conversations.create', { visitor_email: 'x@example.com', visitor_name: 'All of us' });
    await withClient(tests.service.databaseUrl, (sql) =>
      sql.query(`insert into conversations (id, visitor_email, visitor_name, subject)
        select 'conv_' || n || '_many', 'many@example.com', 'Many', 'Many' from generate_series(1, 1100) n`),
    );
    const countOf = async (status: string) =>
      (await client.call('conversations.list', { q: 'many', status, limit: 1, count: 1 })).total;
    await dashboard.after('/ "many"', /❯ +[•]? +Many/);
    await dashboard.after('enter * *', 'all that match, also those that are not loaded');
    await dashboard.after('s G enter', 'Change 1,100 conversations: status closed?');
    await dashboard.after('y', '✓ 1,100 conversations: status closed.');
    expect(await countOf('closed')).toBe(1_100);
    await dashboard.after('z', '✓ Restored 1,100 conversations');
    expect(await countOf('open')).toBe(1_100);
  });

  test('loads earlier messages on demand, and keeps the position when one is added below', async () => {
    for (let message = 1; message <= 60; message += 1) await receive(`Message ${message}`);
    await client.call('conversations.read', { id });
    await dashboard.after('enter G', /Message 60\n|Message 60 *$/m);
    await expect
      .poll(() => {
        dashboard.press('g');
        return dashboard.frame();
      })
      .toContain('Could you send it again?');
    dashboard.press('j', 'j', 'j');
    const linesBelow = async () =>
      Number(/↓ (\d+) more/.exec(await dashboard.shows(/↓ \d+ more lines/))?.[1]);
    const before = await linesBelow();
    // Without the ages, which change.
    const thread = () =>
      dashboard
        .lines()
        .slice(7, 36)
        .map((line) => line.slice(90).replace(/, .* ago|, just now/, ''));
    const seen = thread();
    await receive('The last');
    await expect.poll(linesBelow).toBeGreaterThan(before);
    expect(thread()).toEqual(seen);
  });

  test('loses no comment: not the earliest of many, and none at a refresh', async () => {
    await withClient(tests.service.databaseUrl, (sql) =>
      sql.query(
        `insert into comments (conversation_id, content, created_at, updated_at)
        select $1, 'Comment ' || n, now() - (2000 - n) * interval '1 second', now() from generate_series(1, 1005) n`,
        [id],
      ),
    );
    await dashboard.after('C', /❯ unknown {2}Comment 1005/);
    await dashboard.after('G', /❯ unknown {2}Comment 1 /);
    await dashboard.after('ctrl+r', /❯ unknown {2}Comment 1 /);
  });
});
