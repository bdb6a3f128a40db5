import { afterEach, describe, expect, test, vi } from 'vitest';
import { type MenuAbout, openMenu } from '../../../cli/dashboard/dialogs/menu.ts';
import { ranked } from '../../../cli/dashboard/dialogs/rank.ts';
import { type Dashboard, openDashboard, silentAccess } from '../../support/run/dashboard.ts';
import { dashboardHere } from '../../support/run/dashboard-here.ts';

describe('a menu', () => {
  let dashboard: Dashboard;
  afterEach(() => dashboard.close());

  const fruits = ['apple', 'apricot', 'banana', 'cherry'];
  /** Searches whose answers the test gives. */
  const searches: { readonly text: string; answer(found: readonly string[]): void }[] = [];
  const held = (text: string) =>
    new Promise<readonly string[]>((resolve) => searches.push({ text, answer: resolve }));

  const open = (about: Partial<MenuAbout<string>> = {}) => {
    searches.length = 0;
    dashboard = openDashboard(silentAccess);
    const take = vi.fn();
    openMenu<string>(dashboard.app, {
      title: 'Fruits',
      placeholder: 'a fruit',
      text: String,
      take,
      find: (text) => fruits.filter((fruit) => fruit.includes(text)),
      ...about,
    });
    return take;
  };

  test('narrows down as one types, also by letters that are keys elsewhere', async () => {
    const take = open();
    await dashboard.shows(/❯ apple[\s\S]*cherry/);
    await dashboard.after('"ap" down', /\/ ap\n +apple\n +❯ apricot\n Enter/);
    expect(await dashboard.after('ctrl+u "q"', 'Nothing found.')).toContain('── Fruits');
    await dashboard.after('backspace "an"', '❯ banana');
    dashboard.press('enter');
    expect(take.mock.calls).toEqual([['banana']]);
    expect(dashboard.frame()).not.toContain('── Fruits');
  });

  test('takes by Enter right after a letter what that letter finds', async () => {
    const take = open();
    await dashboard.shows('❯ apple');
    await dashboard.after('"ch" enter', /^(?![\s\S]*── Fruits)/);
    expect(take.mock.calls).toEqual([['cherry']]);
  });

  test('ignores the keys of the cursor before there is anything, and late answers to another text', async () => {
    const take = open({ find: held });
    await dashboard.after('up down pagedown', 'Loading…');
    dashboard.write('x');
    await vi.waitFor(() => expect(searches.map(({ text }) => text)).toEqual(['', 'x']));
    searches[1]?.answer(['lime', 'lemon']);
    await dashboard.shows('❯ lime');
    searches[0]?.answer(fruits);
    await dashboard.after('down', '❯ lemon');
    expect(dashboard.frame()).not.toContain('apple');
    dashboard.press('enter');
    expect(take.mock.calls).toEqual([['lemon']]);
  });

  test('takes the first after Down came before the results', async () => {
    const take = open({ find: held });
    dashboard.press('down');
    searches[0]?.answer(fruits);
    await dashboard.after('enter', /^(?![\s\S]*── Fruits)/);
    expect(take.mock.calls).toEqual([['apple']]);
  });

  test('says why nothing was found', async () => {
    const take = open({ find: () => Promise.reject(new Error('The garden is closed.')) });
    await dashboard.after('enter', '✗ The garden is closed.');
    expect(take).not.toHaveBeenCalled();
    await dashboard.after('esc', /^(?![\s\S]*── Fruits)/);
  });
});

describe('the ranking of titles', () => {
  const titles = [
    'Overview: Go to what it counts',
    'Issues: Report an issue',
    'Issues: Sort by created, or reverse',
    'Issues: Sort by severity, or reverse',
    'Issues: Add or remove a label',
    'Issues: Show the history, to undo a change',
    'Issues: Undo the last change',
    'Issues: Quit',
    'Issues: Go to Charts',
    'Admins: Create admins',
    'Admins: Set a password',
  ];

  test.each([
    ['words in any order', 'admins create', 'Admins: Create admins'],
    ['starts of words', 'rep iss', 'Issues: Report an issue'],
    ['the first letters of words', 'gtc', 'Issues: Go to Charts'],
    ['words without their blanks', 'sortsev', 'Issues: Sort by severity, or reverse'],
    ['a part of a word', 'assword', 'Admins: Set a password'],
    ['a missing letter', 'pasword', 'Admins: Set a password'],
    ['a letter too many', 'labels', 'Issues: Add or remove a label'],
    ['letters in the wrong order', 'qiut', 'Issues: Quit'],
    ['a start in the wrong order', 'reopr', 'Issues: Report an issue'],
    ['signs that mean something in patterns', 'undo (', undefined],
    ['a hyphen in a word', 're-port', 'Issues: Report an issue'],
    ['words that are nowhere', 'zebra', undefined],
  ])('finds %s: %s', (_what, text, first) => {
    expect(ranked(titles, text, String)[0]).toBe(first);
  });

  test('puts the start of a word before its middle, and takes short words as they are', () => {
    expect(ranked(['Reset', 'Set'], 'set', String)).toEqual(['Set', 'Reset']);
    expect(ranked(['Quit'], 'qit', String)).toEqual([]);
    expect(ranked(titles, '', String)).toEqual(titles);
  });
});

describe('the command palette', () => {
  const tests = dashboardHere({ issues: 10 });

  test('finds an action before the rows that have its words, and runs it on its own screen', async () => {
    const dashboard = tests.open();
    await dashboard.after(': "admins create"', /\/ admins create\n {2}❯ Admins: Create admins +n\n/);
    await dashboard.after('enter', /▸5 Admins[\s\S]*── New admin/);
    await dashboard.after('esc 2', 'Age of the issues');
    await dashboard.after(': "change roles" enter', '── Role of grace@example.com');
  });

  test('goes to an issue by its number, also right after the last key, and Esc leads back', async () => {
    const dashboard = tests.open();
    await dashboard.after('2', 'Age of the issues');
    await dashboard.after(': "issue 3" enter', /▸1 Issues[\s\S]*❯ +3 /);
    await dashboard.after('esc', '▸2 Charts');
    await dashboard.after(': "admin grace" enter', /▸5 Admins[\s\S]*\/ grace@example\.com/);
    await dashboard.after(': "issue 999999"', 'Nothing found.');
  });
});

describe('the help', () => {
  const tests = dashboardHere();

  test('has the keys that work now, searches them as one types, and runs one', async () => {
    const dashboard = tests.open();
    await dashboard.after('5', 'grace@example.com');
    await dashboard.after('?', '── Keys');
    const found = await dashboard.after('"sort created"', /❯ Sort by created, or reverse +S c\n/);
    expect(found).not.toContain('Create admins');
    await dashboard.after('enter', 'CREATED ▼');
    await dashboard.after('? "S e"', 'Sort by e-mail');
    await dashboard.after('esc', /^(?![\s\S]*── Keys)/);
  });

  test('says why an action is not offered', async () => {
    const dashboard = tests.open({ isReadOnly: true });
    await dashboard.after('5', 'grace@example.com');
    await dashboard.after('? "read-only"', 'Nothing found.');
    await dashboard.after('ctrl+u "create admins"', /❯ .*read-only/);
    await dashboard.after('enter', /✗ .*read-only/);
  });
});
