import { setImmediate } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createForm, type FormOptions } from '../../../cli/tui/dialogs/form.tsx';
import { helpLines } from '../../../cli/tui/dialogs/help.tsx';
import { createKeymap } from '../../../cli/tui/keys/keymap.ts';
import { type Scope, scopeTitles } from '../../../cli/tui/keys/scopes.ts';
import { type Dashboard, openDashboard, silentAccess } from '../../support/run/dashboard.tsx';
import { dashboardHere } from '../../support/run/dashboard-here.ts';
import { after, typing } from './after-keys.ts';

describe('a form', () => {
  let dashboard: Dashboard;
  afterEach(() => dashboard.close());

  const open = (submit: FormOptions['submit']) => {
    dashboard = openDashboard(silentAccess);
    const form = createForm(dashboard.app, {
      title: () => 'A new thing',
      fields: [
        { name: 'name', label: 'Name', kind: 'text', note: 'what it is called' },
        { name: 'secret', label: 'Secret', kind: 'secret' },
        { name: 'kind', label: 'Kind', kind: 'choice', options: ['small', 'large'], initial: 'small' },
        { name: 'text', label: 'Text', kind: 'lines' },
      ],
      submit,
    });
    dashboard.app.open(form);
    return form;
  };

  test('submits what was typed and hides secrets', async () => {
    const submit = vi.fn(async () => undefined);
    open(submit);
    dashboard.write('Ünïcode q?:1');
    dashboard.press('tab');
    dashboard.write('hidden');
    dashboard.press('tab', 'right', 'tab');
    dashboard.write('one');
    dashboard.press('enter');
    dashboard.write('two');
    const frame = await dashboard.shows('two');
    expect(frame).toContain('••••••');
    expect(frame).not.toContain('hidden');
    dashboard.press('ctrl+s');
    await expect
      .poll(() => submit.mock.calls)
      .toEqual([[{ name: 'Ünïcode q?:1', secret: 'hidden', kind: 'large', text: 'one\ntwo' }]]);
    await expect.poll(() => dashboard.app.store.get().dialogs).toEqual([]);
  });

  test('keeps its values when it is closed, except secrets', async () => {
    const form = open(async () => undefined);
    dashboard.write('Kept');
    dashboard.press('tab');
    dashboard.write('secret');
    dashboard.press('esc');
    expect(form.hasContent()).toBe(true);
    dashboard.app.open(form);
    const frame = await dashboard.shows('Kept');
    expect(frame).not.toContain('•');
  });

  test('makes control characters of a given text harmless', async () => {
    const form = open(async () => undefined);
    form.fill({
      name: 'First\n\u001B[7msecond',
      text: 'A \u001B[7mdraft\u001B]8;;http://evil.example\u0007 link',
    });
    const draft = 'A \uFFFD[7mdraft\uFFFD]8;;http://evil.example\uFFFD link';
    const frame = await dashboard.shows('First [7msecond');
    expect(frame).toContain(draft);
    dashboard.press('tab', 'tab', 'tab', 'home');
    await expect.poll(() => dashboard.raw()).toContain('\u001B[7mA\u001B[27m');
    expect(await dashboard.shows('Ctrl-S save')).toContain(draft);
    expect(dashboard.raw()).not.toContain('http://evil.example\u0007');
  });

  test('grows with its text and shows the hints of the focused field', async () => {
    open(async () => undefined);
    // Without timers, only a notification can cause a drawing.
    dashboard.app.stop();
    await dashboard.shows('Tab next field');
    dashboard.press('tab', 'tab', 'tab');
    // Tab also leaves a field of several lines, in which Enter starts a new line.
    await dashboard.shows(/❯ Text.*\n.*Ctrl-S save {2}Tab next field/);
    for (const line of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) {
      dashboard.write(line);
      dashboard.press('enter');
    }
    dashboard.write('eight');
    const frame = await dashboard.shows('eight');
    for (const line of ['Name ', 'one', 'two', 'seven']) expect(frame).toContain(line);
    expect(frame.split('\n')).toHaveLength(23);
  });

  test('keeps its values and shows the error below them if submitting fails', async () => {
    open(async () => {
      throw new Error('It is too small.');
    });
    dashboard.app.stop();
    await dashboard.shows('── A new thing');
    dashboard.write('Kept');
    dashboard.press('ctrl+s');
    const lines = (await dashboard.shows('✗ It is too small.')).split('\n');
    expect(lines.join()).toContain('Kept');
    expect(lines.slice(-6).map((line) => line.trim().split(/ +/).slice(0, 2).join(' '))).toEqual([
      '❯ Name',
      'Secret',
      'Kind ❯',
      'Text',
      '✗ It',
      'Esc back',
    ]);
  });

  test('shows its keys instead of an earlier message', async () => {
    open(async () => undefined);
    dashboard.press('esc');
    dashboard.app.showMessage('No issue selected.', 'note');
    dashboard.press('n');
    expect(dashboard.app.store.get().message).toBeNull();
    await dashboard.shows('Ctrl-S save');
  });
});

describe('the help', () => {
  const scopes = Object.keys(scopeTitles) as Scope[];
  const lines = (keymap = createKeymap()) => helpLines(keymap, scopes).map(stripVTControlCharacters);

  test('shows all keys of every action', () => {
    expect(lines().join('\n')).not.toContain('…');
    expect(lines()).toContain('  Ctrl-W  Alt-Backspace  Delete the previous word');
  });

  test('cuts a long list of keys from keys.json', () => {
    const many = createKeymap({ 'global.quit': ['Q', 'ctrl+q', 'alt+q', 'ctrl+x', 'alt+x', 'ctrl+y'] });
    expect(lines(many)).toContain('  Q  Ctrl-Q  Alt-Q  Ctrl-X  A…  Quit');
  });

  test('finds keys by their words as they are typed', async () => {
    const dashboard = openDashboard(silentAccess);
    await after(dashboard, '?', 'Type to search.');
    dashboard.write('undo last');
    const frame = await dashboard.hides('Go to the issues');
    expect(frame).toContain('z ');
    expect(frame).toContain('Undo the last change of a status or an assignee');
    expect(frame).not.toContain('more line');
    await after(dashboard, 'esc', 'Type to search.');
    dashboard.press('?');
    await dashboard.hides('── Keys');
    dashboard.close();
  });

  test('scrolls to the last key and shows how many lines follow', async () => {
    const dashboard = openDashboard(silentAccess);
    await after(dashboard, '?', /↓ \d+ more lines/);
    dashboard.press('ctrl+end');
    await dashboard.hides('more line');
    await after(dashboard, 'up', '↓ 1 more line ');
    dashboard.close();
  });
});

describe('the command palette', () => {
  const tests = dashboardHere({ issues: 10, conversations: 5 });

  test('runs an action by name', async () => {
    const dashboard = tests.open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press(':');
    dashboard.write('add a setting');
    await dashboard.shows('❯ Settings: Add a setting');
    await after(dashboard, 'enter', '── Add a setting');
    expect(dashboard.app.store.get().screen).toBe('settings');
  });

  test('shows the visitors that it finds in a narrow terminal too', async () => {
    await tests.client.call('conversations.create', {
      visitor_email: 'zoe@example.com',
      visitor_name: 'Zoe Quarterstone',
    });
    const dashboard = tests.open({ columns: 40 });
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press(':');
    dashboard.write('conv quarterstone');
    await dashboard.shows('❯ Conversation: Zoe Quarterstone');
  });

  test.each([
    ['write a reply', '── Reply to '],
    ['issues: change the status', '── Status of #'],
    ['settings: edit the value', '── Value of '],
    ['admins: change the role', '── Role of '],
  ])('%s, run from another screen, waits for the row of its own screen', async (name, title) => {
    const dashboard = tests.open();
    await after(dashboard, '2', 'Age of the issues');
    dashboard.press(':');
    dashboard.write(name);
    await after(dashboard, 'enter', title);
  });

  test('goes to an issue by its number and to a conversation by a name, also right after the last key', async () => {
    const { client } = tests;
    const dashboard = tests.open({ rows: 40 });
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press(':');
    dashboard.write('issue 3');
    await dashboard.shows(/❯ Issue #3: /);
    await after(dashboard, 'enter', /❯.{3} +3 +/);
    await dashboard.shows('── #3 ──');
    const visitor = { visitor_email: 'karim@example.com', visitor_name: 'Karim Haddad' };
    await client.call('conversations.create', { ...visitor, initial_message: 'Hello?' });
    dashboard.press(':');
    await typing(dashboard, 'conv karim', 'enter', 'Karim Haddad <karim@example.com>');
    dashboard.press(':');
    await typing(dashboard, 'admin grace', 'enter', '/ grace@example.com');
    dashboard.press(':');
    dashboard.write('issue 999999');
    await dashboard.shows('Nothing found.');
  });

  test('drops an action if the user cancels it and leaves its screen before it can run', async () => {
    const { access } = tests;
    const answers: Promise<unknown>[] = [];
    const dashboard = tests.openWith({
      call(id, input) {
        const answer = access.call(id, input);
        answers.push(answer);
        return answer;
      },
    });
    await after(dashboard, '2', 'Age of the issues');
    dashboard.app.runAction('talk.reply');
    // Without Esc, the 4 would be for the reply.
    await after(dashboard, 'esc 4', 'site_name');
    // Going back before the conversations have loaded would still open the reply.
    await Promise.all(answers);
    await setImmediate();
    await after(dashboard, '3', /❯.{8} *\S/);
    expect(dashboard.app.store.get().dialogs).toEqual([]);
  });

  test('offers no changes in a read-only dashboard', async () => {
    const dashboard = tests.open({ readOnly: true });
    dashboard.press(':');
    dashboard.write('status');
    expect(await dashboard.shows('Issues: Show only the next status')).not.toContain('Change the status');
  });
});
