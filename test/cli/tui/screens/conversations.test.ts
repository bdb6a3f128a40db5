import { readFile, rm, stat } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { cellsOf } from '../../../../cli/terminal/cells.ts';
import { passingPreferences } from '../../../../cli/tui/preferences.ts';
import type { Client } from '../../../../src/contract/client/client.ts';
import { withClient } from '../../../support/postgres/server.ts';
import type { Dashboard } from '../../../support/run/dashboard.tsx';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

describe('the conversations screen', () => {
  const tests = dashboardHere();
  let dashboard: Dashboard;
  let client: Client;
  let id: string;
  let asked: number;
  const messages = async () => (await client.call('messages.list', { conversation_id: id })).messages;
  /** Adds a message of the visitor. */
  const receive = (content: string) =>
    client.call('messages.create', { conversation_id: id, content, sender_type: 'visitor' });

  beforeEach(async () => {
    ({ client } = tests);
    const visitor = { visitor_email: 'ada@example.com', visitor_name: 'Ada Byron', subject: 'An invoice' };
    const asks = { ...visitor, initial_message: 'Could you send it again?' };
    ({ id } = (await client.call('conversations.create', asks)).conversation);
    asked = (await messages())[0]?.id ?? 0;
    await client.call('messages.updateDraft', { id: asked, ai_draft: 'Gladly. It is in your inbox.' });
    dashboard = tests.open({ columns: 140, rows: 40 });
    await dashboard.after('3', /❯.{3} *1● +Ada Byron/);
    await dashboard.shows('┊ Gladly. It is in your inbox.');
  });

  test('offers to keep a reply whose conversation was deleted, and asks about it at no quit', async () => {
    await dashboard.after('r "It is in your inbox."', '── Reply to Ada Byron');
    await client.call('conversations.delete', { id });
    dashboard.app.onEvents([{ type: 'conversation.deleted', id }]);
    await dashboard.shows('── The conversation with Ada Byron was deleted. Your unsent reply:');
    dashboard.press('2', 'enter');
    const [, file = ''] = /The reply is in (\S+)\./.exec(await dashboard.shows('The reply is in ')) ?? [];
    expect(await readFile(file, 'utf8')).toBe('It is in your inbox.\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await rm(file);
    expect(dashboard.app.leftovers(false)).toEqual([]);
    dashboard.press('q');
    expect(dashboard.quits()).toBe(1);
  });

  test('notices without an event that the conversation of a reply was deleted, and forgets no text', async () => {
    await dashboard.after('r "It is in your inbox."', '── Reply to Ada Byron');
    dashboard.press('esc');
    await client.call('conversations.delete', { id });
    await dashboard.app.screens.conversations.refresh();
    await dashboard.shows('was deleted. Your unsent reply:');
    dashboard.press('esc', 'q');
    expect(dashboard.quits()).toBe(1);
    expect(dashboard.app.leftovers(false)).toEqual([
      { title: 'reply to Ada Byron', text: 'It is in your inbox.' },
    ]);
  });

  test('shows what becomes of the mails of replies, and sends the latest again that failed', async () => {
    await dashboard.shows('Visitors get no e-mail: SMTP_URL is not set.');
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
    dashboard.app.onEvents([{ type: 'message.delivered', id: String(reply) }]);
    await dashboard.shows(/e-mail failed .*\n.*│ Here it is\..*\n.*│ It answered: 550 No such user/);
    await dashboard.shows('f sends the e-mail again.');
    await dashboard.after('f', 'Visitors get no e-mail: SMTP_URL is not set.');
  });

  test('folds what a mail quotes, and lists its files', async () => {
    const message = Buffer.from(
      'From: ada@example.com\nContent-Type: multipart/mixed; boundary=b\n\n' +
        '--b\n\nThank you!\n\nOn Monday Bob <bob@example.com> wrote:\n> the old text\n' +
        '--b\nContent-Disposition: attachment; filename=invoice.pdf\n\n%PDF-1.7\n--b--\n',
    ).toString('base64');
    await client.call('mail.receive', { message });
    await dashboard.app.screens.conversations.refresh();
    dashboard.press('up');
    const screen = await dashboard.shows('⎘ invoice.pdf (9 bytes)');
    expect(screen).toMatch(/Thank you!/);
    expect(screen).toContain('… 2 quoted lines');
    expect(screen).not.toContain('> the old text');
  });

  test('sends a draft after a confirmation, unless somebody has changed it since it was shown', async () => {
    await dashboard.shows('Draft reply, not sent · a approves, e edits, x rejects');
    const question = await dashboard.after('a', 'Send this to Ada Byron?');
    expect(question).toContain('  │ Gladly. It is in your inbox.');
    await client.call('messages.updateDraft', { id: asked, ai_draft: 'Sorry, it is lost.' });
    await dashboard.after('y', 'Changed meanwhile: ai_draft is now Sorry, it is lost.');
    expect(await messages()).toHaveLength(1);
    dashboard.app.onEvents([{ type: 'message.updated', id }]);
    await dashboard.shows('┊ Sorry, it is lost.');
    await dashboard.after('a esc a y', '│ Sorry, it is lost.');
    expect(await messages()).toMatchObject([
      { id: asked },
      { content: 'Sorry, it is lost.', from_draft_of: asked },
    ]);
  });

  test('sends an edited draft, on the second try if somebody has changed the draft', async () => {
    await dashboard.after('e', '── Draft to Ada Byron');
    dashboard.write(' Now.');
    await client.call('messages.updateDraft', { id: asked, ai_draft: 'Sorry, it is lost.' });
    await dashboard.after('alt+enter', '✗ Changed meanwhile: ai_draft is now Sorry, it is lost. Press');
    expect(await messages()).toHaveLength(1);
    await dashboard.after('alt+enter', '│ Gladly. It is in your inbox. Now.');
    expect((await messages())[1]).toMatchObject({
      content: 'Gladly. It is in your inbox. Now.',
      from_draft_of: asked,
    });
  });

  test('rejects a draft, and marks messages as read or unread', async () => {
    await dashboard.after('x', 'Reject the draft to Ada Byron?');
    await dashboard.after('y', '✓ Rejected the draft.');
    expect((await messages())[0]?.ai_draft).toBeNull();
    await dashboard.after('m', '✓ Marked 1 message as read.');
    await dashboard.shows(/❯.{6} +Ada Byron/);
    await dashboard.after('M', '✓ Marked the newest message as unread.');
    await dashboard.after('m', '✓ Marked 1 message as read.');
    const { conversation } = await client.call('messages.list', { conversation_id: id });
    expect(conversation?.unread_count).toBe(0);
  });

  test('assigns a conversation, comments on it for the team only, changes its status, and undoes that', async () => {
    await dashboard.after('A', 'nobody');
    await dashboard.after(
      '"grace" enter',
      '✓ The conversation with Ada Byron is assigned to grace. z undoes this.',
    );
    await dashboard.shows('@grace open');
    await dashboard.after('z', '✓ Put back 1 conversation.');
    await dashboard.hides('@grace open');
    await dashboard.after('+', '── Comment on the conversation with Ada Byron');
    await dashboard.after('"Called her." ctrl+s', /✎ [^\n]+only for the team[\s\S]+ Called her\./);
    expect(await messages()).toHaveLength(1);
    await dashboard.after('s', 'Status of Ada Byron, An invoice');
    await dashboard.after('3 enter', '✓ The conversation with Ada Byron is now resolved. z undoes this.');
    await dashboard.after(
      'L',
      /── Log of this session[\s\S]*✓ Ada Byron: status → resolved[\s\S]*z undoes it\./,
    );
    await dashboard.after('z', '✓ Put back 1.');
    await dashboard.shows(/Ada Byron <ada@example\.com> .* open$/m);
  });

  test('changes several conversations at once, undoes that, and keeps to the one that is read', async () => {
    await client.call('conversations.create', { visitor_email: 'b@example.com', visitor_name: 'Bob' });
    await client.call('conversations.create', { visitor_email: 'c@example.com', visitor_name: 'Cy' });
    dashboard.app.onEvents([{ type: 'conversation.created', id: null }]);
    await dashboard.shows(/ +Cy .*\n.* +Bob .*\n❯.{3} *1● +Ada Byron/);
    const closed = async () => {
      const { conversations } = await client.call('conversations.list', { status: 'closed' });
      return conversations.map(({ visitor_name }) => visitor_name).sort();
    };
    await dashboard.after('g V j j', '✓ 3 selected, range');
    await dashboard.after('esc k space', /✓ 2 selected *$/m);
    await dashboard.after('s', '── Status of 2 conversations');
    await dashboard.after('4 enter', '✓ 2 conversations are now closed. z undoes this.');
    expect(await closed()).toEqual(['Ada Byron', 'Cy']);
    await dashboard.after('z', '✓ Put back 2 conversations.');
    expect(await closed()).toEqual([]);
    await dashboard.after('* g enter s', '── Status of Cy');
    dashboard.press('esc', 'esc', 'esc');
    await dashboard.hides(' selected');
  });

  test('filters by fields, and opens with a view of its own', async () => {
    const preferences = passingPreferences();
    dashboard.close();
    dashboard = tests.open({ preferences, columns: 140, rows: 40 });
    await dashboard.after('3', /▸All {3}Unsettled|▸All {3}open {3}pending/);
    await dashboard.shows('AGE ▲');
    await dashboard.after('/ "status:op is:unread ada"', /conversations? *$/m);
    await dashboard.shows(/❯.{3} *1● +Ada Byron/);
    await dashboard.after('ctrl+u "status:lost"', 'No status “lost”. Use open, pending, resolved or closed.');
    await dashboard.after('ctrl+u "is:unread" enter |', '[ ] assignee');
    await dashboard.after('g j j j space enter S v w', /Unsettled +status:open,pending/);
    await dashboard.after('s ctrl+u "Waiting" ctrl+s', '✓ Saved the view Waiting.');
    await dashboard.after('*', '✓ Conversations open with Waiting from now on.');
    const columns = ['new', 'visitor', 'subject', 'status', 'age'];
    expect(preferences.get()).toEqual({
      conversationViews: { Waiting: { filter: 'is:unread', sort: 'visitor', columns } },
      defaultConversationView: 'Waiting',
    });
    dashboard.close();
    dashboard = tests.open({ preferences, columns: 140, rows: 40 });
    await dashboard.after('3', /▸Waiting {3}All {3}open/);
    await dashboard.shows('VISITOR ▲');
  });

  test('inserts a saved reply with its placeholders filled in', async () => {
    const saved = {
      title: 'On its way',
      content: 'Hello {{visitor_name}}, it is on its way. {{admin_name}}',
    };
    await client.call('savedReplies.create', { shortcut: 'shipped', ...saved });
    await client.call('savedReplies.create', { shortcut: 'refund', title: 'Refund', content: 'Refunded.' });
    await dashboard.after('r "And/or " "/"', '── Saved replies');
    await dashboard.shows('/refund');
    dashboard.write('ship');
    await dashboard.hides('/refund');
    dashboard.press('enter');
    // The dashboard acts as an operator here, who has no name.
    await dashboard.shows('And/or Hello Ada Byron, it is on its way. {{admin_name}}');
    await dashboard.shows('! {{admin_name}} is not filled in.');
    await dashboard.after('ctrl+u "/tmp"', 'No saved reply matches.');
    await dashboard.after('esc', /^ {2}\/tmp/m);
    await dashboard.after('space ctrl+t', '/refund');
    dashboard.press('esc', 'esc');
    expect(await messages()).toHaveLength(1);
  });

  test('keeps an unsent reply, and sends it in full although a message arrives while it is written', async () => {
    await dashboard.after('r "Not yet" esc q', 'The reply to Ada Byron is not sent. Discard it and quit?');
    await dashboard.after('n r', '  Not yet');
    dashboard.press('ctrl+u');
    dashboard.write('Gladly: it is ');
    await receive('And the one for April, please.');
    dashboard.app.onEvents([{ type: 'message.created', id }]);
    await dashboard.shows('And the one for April, please.');
    await dashboard.after('"in your inbox." enter "Both of them." ctrl+s', '│ Both of them.');
    expect((await messages()).at(-1)?.content).toBe('Gladly: it is in your inbox.\nBoth of them.');
  });

  test('reports an issue from a conversation, and both show the link', async () => {
    await dashboard.after('i', '── Report an issue');
    await dashboard.after('ctrl+s', /→ #\d+ An invoice/);
    dashboard.app.onEvents([{ type: 'issue.created', id: null }]);
    await dashboard.after('1', /^[❯ ] [• ] *\d+ +An invoice/m);
    await dashboard.after('g enter', '→ conversation: An invoice');
  });

  test('makes control characters of a visitor harmless everywhere', async () => {
    const name = 'Mal\u001B[7;31mHACK\u001B[0m\nSECOND\u001B]8;;http://evil.example\u0007link';
    const shown = 'Mal\uFFFD[7;31mHACK\uFFFD[0m SECOND\uFFFD]8;;http://evil.example\uFFFDlink';
    const { conversation } = await client.call('conversations.create', {
      visitor_email: 'mal@example.com',
      visitor_name: name,
      subject: `Of ${name}`,
      initial_message: name,
    });
    const [first] = (await client.call('messages.list', { conversation_id: conversation.id })).messages;
    await client.call('messages.updateDraft', { id: first?.id ?? 0, ai_draft: `To ${name}` });
    dashboard.app.onEvents([{ type: 'conversation.created', id: conversation.id }]);
    await dashboard.shows(/ +1● +Mal/);
    await dashboard.after('g', '◂ Mal\uFFFD[7;31mHACK');
    for (const [key, sign] of [
      ['r', `── Reply to ${shown} ─`],
      ['e', `── Draft to ${shown} ─`],
      ['s', `── Status of ${shown}`],
      ['D', `Delete the conversation with Mal`],
      ['m', '✓ Marked 1 message as read.'],
    ] as const) {
      dashboard.press(key);
      const frame = await dashboard.shows(sign);
      expect(frame.split('\n'), key).toHaveLength(39);
      for (const line of frame.split('\n')) expect(cellsOf(line), line).toBeLessThanOrEqual(140);
      for (const evil of ['\u001B[7;31m', '\u001B[31mHACK', '\u001B]8'])
        expect(dashboard.raw(), key).not.toContain(evil);
      dashboard.press('esc');
    }
    await dashboard.after('r "No." ctrl+s', `✓ Sent to ${shown}.`);
    expect(dashboard.lines()).toHaveLength(39);
    await client.call('conversations.delete', { id: conversation.id });
  });

  test('deletes a conversation after a confirmation', async () => {
    await dashboard.after('D', 'Delete the conversation with Ada Byron, “An invoice”, and all its messages?');
    await dashboard.after('y', '✓ Deleted the conversation with Ada Byron.');
    expect((await client.call('messages.list', { conversation_id: id })).conversation).toBeNull();
  });

  test('keeps the position in a thread when a message is added below', async () => {
    for (let message = 1; message <= 60; message += 1) await receive(`Message ${message}`);
    dashboard.app.onEvents([{ type: 'message.created', id }]);
    await dashboard.shows('Message 60');
    dashboard.press('enter');
    // More messages than one page holds: the oldest load when the user scrolls up to them.
    await expect
      .poll(() => {
        dashboard.press('g');
        return dashboard.frame();
      })
      .toContain('Could you send it again?');
    await dashboard.shows(/Message 1 *$/m);
    dashboard.press('j', 'j', 'j');
    const linesBelow = async () =>
      Number(/↓ (\d+) more/.exec(await dashboard.shows(/↓ \d+ more lines/))?.[1]);
    const before = await linesBelow();
    // Without the ages, which change.
    const thread = () =>
      dashboard
        .lines()
        .slice(8, 30)
        .map((line) => line.slice(60).replace(/ +(now|\d+m) · /, ' · '));
    const seen = thread();
    await receive('The last');
    dashboard.app.onEvents([{ type: 'message.created', id }]);
    await expect.poll(linesBelow).toBeGreaterThan(before);
    expect(thread()).toEqual(seen);
  });
});
