import { readFile, rm, stat } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { cellsOf } from '../../../../../cli/output/cells.ts';
import { passingPreferences } from '../../../../../cli/tui/preferences.ts';
import type { Client } from '../../../../../src/contract/client/client.ts';
import type { Dashboard } from '../../../../support/run/dashboard.tsx';
import { dashboardHere } from '../../../../support/run/dashboard-here.ts';
import { after, typing } from '../../after-keys.ts';

describe('the actions of a conversation', () => {
  const tests = dashboardHere();
  let dashboard: Dashboard;
  let client: Client;
  let id: string;
  let asked: number;
  const messages = async () => (await client.call('messages.list', { conversation_id: id })).messages;

  beforeEach(async () => {
    ({ client } = tests);
    const visitor = { visitor_email: 'ada@example.com', visitor_name: 'Ada Byron', subject: 'An invoice' };
    ({
      conversation: { id },
    } = await client.call('conversations.create', {
      ...visitor,
      initial_message: 'Could you send it again?',
    }));
    asked = (await messages())[0]?.id ?? 0;
    await client.call('messages.updateDraft', { id: asked, ai_draft: 'Gladly. It is in your inbox.' });
    dashboard = tests.open({ columns: 140, rows: 40 });
    await after(dashboard, '3', /❯.{3} *1● +Ada Byron/);
    await dashboard.shows('┊ Gladly. It is in your inbox.');
  });

  test('offers to keep a reply whose conversation was deleted, and asks about it at no quit', async () => {
    const write = async () => {
      await after(dashboard, 'r', '── Reply to Ada Byron');
      dashboard.write('It is in your inbox.');
      await dashboard.shows('It is in your inbox.');
    };
    await write();
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
    await after(dashboard, 'r', '── Reply to Ada Byron');
    dashboard.write('It is in your inbox.');
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

  test('sends a draft unchanged after a confirmation', async () => {
    expect(await after(dashboard, 'a', 'Send this to Ada Byron?')).toContain(
      '  │ Gladly. It is in your inbox.',
    );
    await after(dashboard, 'esc a y', '│ Gladly. It is in your inbox.');
    expect(await messages()).toMatchObject([
      { id: asked },
      { content: 'Gladly. It is in your inbox.', from_draft_of: asked },
    ]);
  });

  test('sends an edited draft', async () => {
    await after(dashboard, 'e', '── Draft to Ada Byron');
    await typing(dashboard, ' Now.', 'alt+enter', '│ Gladly. It is in your inbox. Now.');
    expect((await messages())[1]).toMatchObject({
      content: 'Gladly. It is in your inbox. Now.',
      from_draft_of: asked,
    });
  });

  test('keeps the edited text if somebody has changed the draft, and sends it on the second try', async () => {
    await after(dashboard, 'e', '── Draft to Ada Byron');
    dashboard.write(' Now.');
    await client.call('messages.updateDraft', { id: asked, ai_draft: 'Sorry, it is lost.' });
    await after(dashboard, 'alt+enter', '✗ Changed meanwhile: ai_draft is now Sorry, it is lost. Press');
    expect(await messages()).toHaveLength(1);
    await after(dashboard, 'alt+enter', '│ Gladly. It is in your inbox. Now.');
    expect(await messages()).toHaveLength(2);
  });

  test('does not send a draft that somebody has changed since it was shown', async () => {
    await after(dashboard, 'a', 'Send this to Ada Byron?');
    await client.call('messages.updateDraft', { id: asked, ai_draft: 'Sorry, it is lost.' });
    await after(dashboard, 'y', 'Changed meanwhile: ai_draft is now Sorry, it is lost.');
    expect(await messages()).toHaveLength(1);
  });

  test('rejects a draft', async () => {
    await after(dashboard, 'x', 'Reject the draft to Ada Byron?');
    await after(dashboard, 'y', '✓ Rejected the draft.');
    expect((await messages())[0]?.ai_draft).toBeNull();
  });

  test('shows the keys for a draft, unless the dashboard is read-only', async () => {
    await dashboard.shows('Draft reply, not sent · a approves, e edits, x rejects');
    dashboard.close();
    dashboard = tests.open({ columns: 140, rows: 40, readOnly: true });
    await after(dashboard, '3', /Draft reply, not sent *$/m);
  });

  test('finds the draft when an action is run from another screen', async () => {
    dashboard.close();
    dashboard = tests.open({ columns: 140, rows: 40 });
    await after(dashboard, '2', 'Age of the issues');
    dashboard.app.runAction('talk.reject');
    await dashboard.shows('Reject the draft to Ada Byron?');
  });

  test('marks visible messages as read and changes the status', async () => {
    await after(dashboard, 'm', '✓ Marked 1 message as read.');
    await dashboard.shows(/❯.{6} +Ada Byron/);
    await after(dashboard, 'M', '✓ Marked the newest message as unread.');
    await after(dashboard, 'm', '✓ Marked 1 message as read.');
    await after(dashboard, 's', 'Status of Ada Byron, An invoice');
    await after(dashboard, '3 enter', '✓ The conversation with Ada Byron is now resolved.');
    const { conversation } = await client.call('messages.list', { conversation_id: id });
    expect(conversation).toMatchObject({ status: 'resolved', unread_count: 0 });
  });

  test('assigns the conversation and comments on it, for the team only', async () => {
    await after(dashboard, 'A', 'nobody');
    await typing(
      dashboard,
      'grace',
      'enter',
      '✓ The conversation with Ada Byron is assigned to grace. z undoes this.',
    );
    await dashboard.shows('@grace open');
    await after(dashboard, 'z', '✓ Put back 1 conversation.');
    await dashboard.hides('@grace open');
    await after(dashboard, '+', '── Comment on the conversation with Ada Byron');
    await typing(dashboard, 'Called her.', 'ctrl+s', /✎ [^\n]+only for the team[\s\S]+ Called her\./);
    expect(await messages()).toHaveLength(1);
    await after(dashboard, 's 3 enter', 'is now resolved. z undoes this.');
    await after(dashboard, 'z', '✓ Put back 1 conversation.');
    await dashboard.shows(/Ada Byron <ada@example\.com> .* open$/m);
    await after(dashboard, 's 3 enter', 'is now resolved. z undoes this.');
    await after(
      dashboard,
      'L',
      /── Log of this session[\s\S]*✓ Ada Byron: status → resolved[\s\S]*z undoes it\./,
    );
    await after(dashboard, 'z', '✓ Put back 1.');
    await dashboard.shows(/Ada Byron <ada@example\.com> .* open$/m);
    dashboard.press('esc');
    await dashboard.hides('── Log of this session');
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
    await after(dashboard, 'g V j j', '✓ 3 selected, range');
    await after(dashboard, 'esc k space', /✓ 2 selected *$/m);
    await after(dashboard, 's', '── Status of 2 conversations');
    await after(dashboard, '4 enter', '✓ 2 conversations are now closed. z undoes this.');
    expect(await closed()).toEqual(['Ada Byron', 'Cy']);
    await after(dashboard, 'z', '✓ Put back 2 conversations.');
    expect(await closed()).toEqual([]);
    await after(dashboard, '* m', /✓ \d+ conversations are marked as read\. z undoes this\./);
    await after(dashboard, 'z', /✓ Put back \d+ conversations?\./);
    await after(dashboard, '* g enter s', '── Status of Cy');
    dashboard.press('esc', 'esc', 'esc');
    await dashboard.hides(' selected');
  });

  test('filters by fields, and opens with a view of its own', async () => {
    const preferences = passingPreferences();
    dashboard.close();
    dashboard = tests.open({ preferences, columns: 140, rows: 40 });
    await after(dashboard, '3', /▸All {3}Unsettled|▸All {3}open {3}pending/);
    await dashboard.shows('AGE ▲');
    dashboard.press('/');
    dashboard.write('status:op is:unread ada');
    await dashboard.shows(/conversations? *$/m);
    await dashboard.shows(/❯.{3} *1● +Ada Byron/);
    dashboard.press('ctrl+u');
    dashboard.write('status:lost');
    await dashboard.shows('No status “lost”. Use open, pending, resolved or closed.');
    dashboard.press('ctrl+u');
    await typing(dashboard, 'is:unread', 'enter |', '[ ] assignee');
    await after(dashboard, 'g j j j space enter S v w', /Unsettled +status:open,pending/);
    dashboard.press('s', 'ctrl+u');
    await typing(dashboard, 'Waiting', 'ctrl+s', '✓ Saved the view Waiting.');
    await after(dashboard, '*', '✓ Conversations open with Waiting from now on.');
    expect(preferences.get()).toEqual({
      conversationViews: {
        Waiting: {
          filter: 'is:unread',
          sort: 'visitor',
          columns: ['new', 'visitor', 'subject', 'status', 'age'],
        },
      },
      defaultConversationView: 'Waiting',
    });
    dashboard.close();
    dashboard = tests.open({ preferences, columns: 140, rows: 40 });
    await after(dashboard, '3', /▸Waiting {3}All {3}open/);
    await dashboard.shows('VISITOR ▲');
    await after(dashboard, 'v v', '▸open');
    await after(dashboard, 'esc', '▸Waiting');
  });

  test('inserts a saved reply with its placeholders filled in', async () => {
    const saved = {
      title: 'On its way',
      content: 'Hello {{visitor_name}}, it is on its way. {{admin_name}}',
    };
    await client.call('savedReplies.create', { shortcut: 'shipped', ...saved });
    await client.call('savedReplies.create', { shortcut: 'refund', title: 'Refund', content: 'Refunded.' });
    dashboard.press('r');
    dashboard.write('And/or ');
    dashboard.write('/');
    await dashboard.shows('── Saved replies');
    await dashboard.shows('/refund');
    dashboard.write('ship');
    await dashboard.hides('/refund');
    dashboard.press('enter');
    // The dashboard acts as an operator here, who has no name.
    await dashboard.shows('And/or Hello Ada Byron, it is on its way. {{admin_name}}');
    await dashboard.shows('! {{admin_name}} is not filled in.');
    dashboard.press('ctrl+u');
    dashboard.write('/tmp');
    await dashboard.shows('No saved reply matches.');
    await after(dashboard, 'esc', /^ {2}\/tmp/m);
    await after(dashboard, 'space ctrl+t', '/refund');
    dashboard.press('esc', 'esc');
    expect(await messages()).toHaveLength(1);
  });

  test('sends a reply in full although a message arrives while it is written', async () => {
    dashboard.press('r');
    dashboard.write('Gladly: it is ');
    await client.call('messages.create', {
      conversation_id: id,
      content: 'And the one for April, please.',
      sender_type: 'visitor',
    });
    dashboard.app.onEvents([{ type: 'message.created', id }]);
    await dashboard.shows('And the one for April, please.');
    dashboard.write('in your inbox.');
    dashboard.press('enter');
    await typing(dashboard, 'Both of them.', 'ctrl+s', '│ Both of them.');
    expect((await messages()).at(-1)?.content).toBe('Gladly: it is in your inbox.\nBoth of them.');
  });

  test('keeps an unsent reply and asks before it is lost', async () => {
    dashboard.press('r');
    await typing(dashboard, 'Not yet', 'esc q', 'The reply to Ada Byron is not sent. Discard it and quit?');
    await after(dashboard, 'n r', '  Not yet');
    expect(await messages()).toHaveLength(1);
  });

  test('reports an issue from a conversation, and both show the link', async () => {
    await after(dashboard, 'i', '── Report an issue');
    await after(dashboard, 'ctrl+s', /→ #\d+ An invoice/);
    dashboard.app.onEvents([{ type: 'issue.created', id: null }]);
    await after(dashboard, '1', /^[❯ ] [• ] *\d+ +An invoice/m);
    await after(dashboard, 'g enter', '→ conversation: An invoice');
  });

  test('makes control characters of a visitor harmless everywhere', async () => {
    const name = 'Mal\u001B[7;31mHACK\u001B[0m\nSECOND\u001B]8;;http://evil.example\u0007link';
    const shown = 'Mal\uFFFD[7;31mHACK\uFFFD[0m SECOND\uFFFD]8;;http://evil.example\uFFFDlink';
    const visitor = { visitor_email: 'mal@example.com', visitor_name: name, subject: `Of ${name}` };
    const { conversation } = await client.call('conversations.create', {
      ...visitor,
      initial_message: name,
    });
    const [first] = (await client.call('messages.list', { conversation_id: conversation.id })).messages;
    await client.call('messages.updateDraft', { id: first?.id ?? 0, ai_draft: `To ${name}` });
    dashboard.app.onEvents([{ type: 'conversation.created', id: conversation.id }]);
    await dashboard.shows(/ +1● +Mal/);
    await after(dashboard, 'g', '◂ Mal\uFFFD[7;31mHACK');
    for (const [key, sign] of [
      ['r', `── Reply to ${shown} ─`],
      ['e', `── Draft to ${shown} ─`],
      ['s', `── Status of ${shown}`],
      ['i', '── Report an issue'],
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
    dashboard.press('r');
    await typing(dashboard, 'No.', 'ctrl+s', `✓ Sent to ${shown}.`);
    expect(dashboard.lines()).toHaveLength(39);
    await client.call('conversations.delete', { id: conversation.id });
  });

  test('deletes a conversation after a confirmation', async () => {
    await after(
      dashboard,
      'D',
      'Delete the conversation with Ada Byron, “An invoice”, and all its messages?',
    );
    await after(dashboard, 'y', '✓ Deleted the conversation with Ada Byron.');
    expect((await client.call('messages.list', { conversation_id: id })).conversation).toBeNull();
  });
});
