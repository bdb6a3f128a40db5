import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createForm, type FormOptions } from '../../../cli/tui/dialogs/form.tsx';
import { helpLines } from '../../../cli/tui/dialogs/help.tsx';
import { createKeymap } from '../../../cli/tui/keys/keymap.ts';
import { type Scope, scopeTitles } from '../../../cli/tui/keys/scopes.ts';
import { age, duration } from '../../../cli/tui/text/age.ts';
import { cursorPosition, edit, emptyInput, insert, textInput, visible } from '../../../cli/tui/text/edit.ts';
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
    await dashboard.after('"Kept" tab "secret"', '••••••');
    dashboard.press('esc');
    expect(form.hasContent()).toBe(true);
    dashboard.app.open(form);
    expect(await dashboard.shows('Kept')).not.toContain('•');
  });

  test('makes control characters of a given text harmless', async () => {
    const form = open(async () => undefined);
    form.fill({
      name: 'First\n\u001B[7msecond',
      text: 'A \u001B[7mdraft\u001B]8;;http://evil.example\u0007 link',
    });
    const draft = 'A \uFFFD[7mdraft\uFFFD]8;;http://evil.example\uFFFD link';
    expect(await dashboard.shows('First [7msecond')).toContain(draft);
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
    // Tab also leaves a field of several lines, in which Enter starts a new line.
    await dashboard.after('tab tab tab', /❯ Text.*\n.*Ctrl-S save {2}Tab next field/);
    const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
    const frame = await dashboard.after(lines.map((line) => `"${line}"`).join(' enter '), 'eight');
    for (const line of ['Name ', ...lines]) expect(frame).toContain(line);
    expect(frame.split('\n')).toHaveLength(23);
  });

  test('keeps its values and shows the error below them if submitting fails', async () => {
    open(() => Promise.reject(new Error('It is too small.')));
    dashboard.app.stop();
    await dashboard.after('"Kept" ctrl+s', /❯ Name +Kept[\s\S]* Text .*\n *✗ It is too small\.\n.*Esc back/);
  });
});

describe('the help', () => {
  test('shows all keys of every action', () => {
    const scopes = Object.keys(scopeTitles) as Scope[];
    const lines = helpLines(createKeymap(), scopes).map(stripVTControlCharacters);
    expect(lines.join('\n')).not.toContain('…');
    expect(lines).toContain('  Ctrl-W  Alt-Backspace  Delete the previous word');
  });

  test('scrolls to the last key, and finds keys by their words as they are typed', async () => {
    const dashboard = openDashboard(silentAccess);
    await dashboard.after('?', /↓ \d+ more lines/);
    dashboard.press('ctrl+end');
    await dashboard.hides('more line');
    await dashboard.after('up', '↓ 1 more line ');
    const found = await dashboard.after('"undo last"', /z +Undo the last change of a status or an assignee/);
    expect(found).not.toMatch(/Go to the issues|more line/);
    await dashboard.after('esc', 'Type to search.');
    dashboard.press('?');
    await dashboard.hides('── Keys');
    dashboard.close();
  });
});

describe('the command palette', () => {
  const tests = dashboardHere({ issues: 10, conversations: 5 });

  test.each([
    ['write a reply', '── Reply to '],
    ['settings: edit the value', '── Value of '],
  ])('%s, run from another screen, waits for the row of its own screen', async (name, title) => {
    const dashboard = tests.open();
    await dashboard.after('2', 'Age of the issues');
    await dashboard.after(`: "${name}" enter`, title);
  });

  test('goes to an issue by its number and to a conversation by a name, also right after the last key', async () => {
    const dashboard = tests.open({ rows: 40 });
    await dashboard.shows(/❯.{3} *\d+ +/);
    await dashboard.after(': "issue 3"', /❯ Issue #3: /);
    await dashboard.after('enter', /❯.{3} +3 +/);
    await dashboard.shows('── #3 ──');
    const visitor = { visitor_email: 'karim@example.com', visitor_name: 'Karim Haddad' };
    await tests.client.call('conversations.create', visitor);
    await dashboard.after(': "conv karim" enter', 'Karim Haddad <karim@example.com>');
    await dashboard.after(': "admin grace" enter', '/ grace@example.com');
    await dashboard.after(': "issue 999999"', 'Nothing found.');
  });
});

describe('ages and durations', () => {
  const now = '2026-01-31T12:00:00.000Z';

  test.each([
    ['2026-01-31T11:59:30.000Z', 'now'],
    ['2026-01-31T09:00:00.000Z', '3h'],
    ['2026-01-19T12:00:00.000Z', '1w'],
    ['2023-01-31T12:00:00.000Z', '3y'],
    [null, ''],
  ])('shows the age of %s as %s', (time, shown) => {
    expect(age(time, Date.parse(now))).toBe(shown);
  });

  test.each([
    ['2026-01-31T11:59:59.900Z', '0s'],
    ['2026-01-31T11:59:00.000Z', '1m'],
    ['2026-01-31T09:59:59.000Z', '2h'],
  ])('shows the time since %s as %s', (from, shown) => {
    expect(duration(from, now)).toBe(shown);
  });
});

describe('a text field', () => {
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
    expect(edit({ text, cursor }, what)).toEqual({ text: expected, cursor: at });
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

  test('removes control characters, and replaces line breaks in a one-line field', () => {
    expect(insert(emptyInput, 'a\u001B[31m\r\nb\tc', 'lines').text).toBe('a[31m\nb  c');
    expect(insert(emptyInput, 'a\nb', 'one line').text).toBe('a b');
  });

  test('keeps its cursor between graphemes', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 });
    const edits = fc.constantFrom('left', 'right', 'up', 'down', 'wordLeft', 'deleteBack', 'deleteForward');
    fc.assert(
      fc.property(text, fc.array(edits, { maxLength: 20 }), (given, whats) => {
        const end = whats.reduce((draft, what) => edit(draft, what, 12), insert(emptyInput, given, 'lines'));
        expect(end.cursor).toBeGreaterThanOrEqual(0);
        expect(end.cursor).toBeLessThanOrEqual(end.text.length);
        expect(end.text.slice(0, end.cursor).isWellFormed()).toBe(true);
      }),
    );
  });
});
