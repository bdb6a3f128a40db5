import { setImmediate } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createForm, type FormOptions } from '../../../cli/tui/dialogs/form.tsx';
import { helpLines } from '../../../cli/tui/dialogs/help.tsx';
import { createKeymap } from '../../../cli/tui/keys/keymap.ts';
import { type Scope, scopeTitles } from '../../../cli/tui/keys/scopes.ts';
import { age, duration } from '../../../cli/tui/text/age.ts';
import {
  cursorPosition,
  edit,
  emptyInput,
  insert,
  type TextInput,
  textInput,
  visible,
} from '../../../cli/tui/text/edit.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { type Dashboard, openDashboard, silentAccess } from '../../support/run/dashboard.tsx';
import { dashboardHere } from '../../support/run/dashboard-here.ts';

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
    const frame = await dashboard.after('"Ünïcode q?:1" tab "hidden" tab right tab "one" enter "two"', 'two');
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
    const frame = await dashboard.after('"eight"', 'eight');
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

  test('scrolls to the last key, and finds keys by their words as they are typed', async () => {
    const dashboard = openDashboard(silentAccess);
    await dashboard.after('?', /↓ \d+ more lines/);
    dashboard.press('ctrl+end');
    await dashboard.hides('more line');
    await dashboard.after('up', '↓ 1 more line ');
    dashboard.write('undo last');
    const frame = await dashboard.hides('Go to the issues');
    expect(frame).toContain('z ');
    expect(frame).toContain('Undo the last change of a status or an assignee');
    expect(frame).not.toContain('more line');
    await dashboard.after('esc', 'Type to search.');
    dashboard.press('?');
    await dashboard.hides('── Keys');
    dashboard.close();
  });
});

describe('the command palette', () => {
  const tests = dashboardHere({ issues: 10, conversations: 5 });

  test('runs an action by name', async () => {
    const dashboard = tests.open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    await dashboard.after(': "add a setting"', '❯ Settings: Add a setting');
    await dashboard.after('enter', '── Add a setting');
    expect(dashboard.app.store.get().screen).toBe('settings');
  });

  test('shows the visitors that it finds in a narrow terminal too', async () => {
    await tests.client.call('conversations.create', {
      visitor_email: 'zoe@example.com',
      visitor_name: 'Zoe Quarterstone',
    });
    const dashboard = tests.open({ columns: 40 });
    await dashboard.shows(/❯.{3} *\d+ +/);
    await dashboard.after(': "conv quarterstone"', '❯ Conversation: Zoe Quarterstone');
  });

  test.each([
    ['write a reply', '── Reply to '],
    ['issues: change the status', '── Status of #'],
    ['settings: edit the value', '── Value of '],
    ['admins: change the role', '── Role of '],
  ])('%s, run from another screen, waits for the row of its own screen', async (name, title) => {
    const dashboard = tests.open();
    await dashboard.after('2', 'Age of the issues');
    dashboard.press(':');
    dashboard.write(name);
    await dashboard.after('enter', title);
  });

  test('goes to an issue by its number and to a conversation by a name, also right after the last key', async () => {
    const { client } = tests;
    const dashboard = tests.open({ rows: 40 });
    await dashboard.shows(/❯.{3} *\d+ +/);
    await dashboard.after(': "issue 3"', /❯ Issue #3: /);
    await dashboard.after('enter', /❯.{3} +3 +/);
    await dashboard.shows('── #3 ──');
    const visitor = { visitor_email: 'karim@example.com', visitor_name: 'Karim Haddad' };
    await client.call('conversations.create', { ...visitor, initial_message: 'Hello?' });
    await dashboard.after(': "conv karim" enter', 'Karim Haddad <karim@example.com>');
    await dashboard.after(': "admin grace" enter', '/ grace@example.com');
    await dashboard.after(': "issue 999999"', 'Nothing found.');
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
    await dashboard.after('2', 'Age of the issues');
    dashboard.app.runAction('talk.reply');
    // Without Esc, the 4 would be for the reply.
    await dashboard.after('esc 4', 'site_name');
    // Going back before the conversations have loaded would still open the reply.
    await Promise.all(answers);
    await setImmediate();
    await dashboard.after('3', /❯.{8} *\S/);
    expect(dashboard.app.store.get().dialogs).toEqual([]);
  });

  test('offers no changes in a read-only dashboard', async () => {
    const dashboard = tests.open({ readOnly: true });
    expect(await dashboard.after(': "status"', 'Issues: Show only the next status')).not.toContain(
      'Change the status',
    );
  });
});

describe('ages and durations', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z');
  test.each([
    ['2026-01-31T11:59:30.000Z', 'now'],
    ['2026-01-31T11:15:00.000Z', '45m'],
    ['2026-01-31T09:00:00.000Z', '3h'],
    ['2026-01-19T12:00:00.000Z', '1w'],
    ['2025-10-01T12:00:00.000Z', '4mo'],
    ['2023-01-31T12:00:00.000Z', '3y'],
    [null, ''],
  ])('shows the age of %s as %s', (time, shown) => {
    expect(age(time, now)).toBe(shown);
  });

  test.each([
    ['2026-01-31T11:59:59.900Z', '0s'],
    ['2026-01-31T11:59:00.000Z', '1m'],
    ['2026-01-31T09:59:59.000Z', '2h'],
  ])('shows the time since %s as %s', (from, shown) => {
    expect(duration(from, '2026-01-31T12:00:00.000Z')).toBe(shown);
  });
});

const anyText = fc.string({ unit: 'grapheme', maxLength: 80 });

describe('a text field', () => {
  const after = (text: string, cursor: number, ...edits: Parameters<typeof edit>[1][]): TextInput =>
    edits.reduce((draft, what) => edit(draft, what), { text, cursor });

  test.each([
    ['left', 'a👩‍👩‍👧', 9, 'a👩‍👩‍👧', 1],
    ['right', '👍🏽b', 0, '👍🏽b', 4],
    ['wordLeft', 'two words ', 10, 'two words ', 4],
    ['wordRight', 'two words', 3, 'two words', 9],
    ['lineStart', 'one\ntwo', 6, 'one\ntwo', 4],
    ['lineEnd', 'one\ntwo', 1, 'one\ntwo', 3],
    ['deleteBack', 'a👍🏽', 5, 'a', 1],
    ['deleteForward', 'né', 1, 'n', 1],
    ['deleteWord', 'two words', 9, 'two ', 4],
    ['deleteToStart', 'one\ntwo', 6, 'one\no', 4],
    ['deleteToEnd', 'one\ntwo', 1, 'o\ntwo', 1],
  ] as const)('%s', (what, text, cursor, expected, at) => {
    expect(after(text, cursor, what)).toEqual({ text: expected, cursor: at });
  });

  test('moves up and down by visible lines', () => {
    const draft = textInput('one two three four');
    const up = edit(draft, 'up', 10);
    expect(cursorPosition(draft, 10)).toEqual({ line: 1, column: 10 });
    expect(up.text.slice(0, up.cursor)).toBe('one two');
    expect(edit(edit(up, 'up', 10), 'down', 10).cursor).toBe(8);
    expect(edit(draft, 'down', 10).cursor).toBe(draft.text.length);
  });

  test('shows a sign for each control character and keeps the length', () => {
    expect(visible('a\u001B[7mb\u0007\r\n\u202Ec\td')).toBe('a\uFFFD[7mb\uFFFD \n\uFFFDc d');
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(visible(text)).toHaveLength(text.length);
        expect(visible(text)).not.toMatch(/(?!\n)\p{Cc}/u);
      }),
    );
  });

  test('moves up and down in a text with control characters', () => {
    const draft = textInput('\u001B[7mone\r\ntwo three');
    expect(cursorPosition(draft, 20)).toEqual({ line: 1, column: 9 });
    const up = edit(edit(draft, 'wordLeft'), 'up', 20);
    expect(up.cursor).toBe(4);
    expect(cursorPosition(up, 20)).toEqual({ line: 0, column: 4 });
  });

  test('removes control characters, and replaces line breaks in a one-line field', () => {
    expect(insert(emptyInput, 'a\u001B[31m\r\nb\tc', 'lines').text).toBe('a[31m\nb  c');
    expect(insert(emptyInput, 'a\nb', 'one line').text).toBe('a b');
  });

  test('keeps its cursor between graphemes', () => {
    const edits = fc.constantFrom(
      'left',
      'right',
      'up',
      'down',
      'wordLeft',
      'wordRight',
      'deleteBack',
      'deleteForward',
      'deleteWord',
      'lineStart',
      'lineEnd',
    );
    fc.assert(
      fc.property(anyText, fc.array(edits, { maxLength: 20 }), (text, whats) => {
        const end = whats.reduce((draft, what) => edit(draft, what, 12), insert(emptyInput, text, 'lines'));
        expect(end.cursor).toBeGreaterThanOrEqual(0);
        expect(end.cursor).toBeLessThanOrEqual(end.text.length);
        expect(end.text.slice(0, end.cursor).isWellFormed()).toBe(true);
      }),
    );
  });
});
