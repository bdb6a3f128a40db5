import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { root } from '../../../bin/prepare/paths.js';
import type { Access } from '../../../cli/access/access.ts';
import type { App } from '../../../cli/dashboard/app/app.ts';
import { createBell, type NotifyMode } from '../../../cli/dashboard/app/bell.ts';
import { watchConnection } from '../../../cli/dashboard/app/connection.ts';
import { createApp } from '../../../cli/dashboard/app/create-app.ts';
import { followEvents } from '../../../cli/dashboard/app/follow.ts';
import { isKey, keyMistake, keyName, type OwnKeys, readOwnKeys } from '../../../cli/dashboard/app/keys.ts';
import { memoryPreferences, openPreferences } from '../../../cli/dashboard/app/preferences.ts';
import { presses } from '../../../cli/dashboard/app/press.ts';
import type { Screen } from '../../../cli/dashboard/app/types.ts';
import { keyboardsOf } from '../../../cli/dashboard/dashboard.ts';
import { openForm } from '../../../cli/dashboard/dialogs/form.ts';
import { createRows, type Page } from '../../../cli/dashboard/list/rows.ts';
import { changing } from '../../../cli/dashboard/parts/changing.ts';
import { selecting } from '../../../cli/dashboard/parts/selecting.ts';
import { clipboardSequence, maxCopiedBytes } from '../../../cli/dashboard/terminal/clipboard.ts';
import { strokesOf } from '../../../cli/dashboard/terminal/strokes.ts';
import { UsageError } from '../../../cli/errors.ts';
import type { Event } from '../../../src/contract/events/envelope.ts';
import { noHost, openDashboard, silentAccess } from '../../support/run/dashboard.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const screen: Screen = {
  id: 'test',
  title: 'Test',
  inDialogs: [],
  actions: () => [],
  draw: () => [],
  back: () => false,
  position: () => '',
  refresh: async () => {},
  onEvents: () => {},
  unfinished: () => [],
};

/** Creates the core with one empty screen. */
function appHere(call: (id: string, input: unknown) => unknown = () => {}, host = noHost): App {
  const access = { ...silentAccess, call: async (id: string, input: unknown) => call(id, input) };
  return createApp({
    access: access as unknown as Access,
    target: 'local',
    targetColour: undefined,
    isReadOnly: false,
    preferences: memoryPreferences(),
    host,
    identity: { email: null, role: 'superadmin', isReadOnly: false },
    makeScreens: () => [screen],
    makeCommon: (app) => [
      { id: 'back', keys: ['esc'], title: 'Go back', everywhere: true, run: () => app.dialog()?.back() },
    ],
  });
}

const press = (app: App, ...keys: string[]) => {
  for (const key of keys) app.press(key.length === 1 ? { key, text: key } : { key });
};

interface Row {
  readonly id: number;
  readonly status: string;
}

const rowsFrom = (first: number, last: number, status = 'Open'): Row[] =>
  Array.from({ length: first - last + 1 }, (_, at) => ({ id: first - at, status }));

/** Creates rows over an array, as a service would serve it. */
const rowsOver = (app: App, all: () => readonly Row[], maxLimit = 1_000) =>
  createRows<Row>(app, {
    keyOf: ({ id }) => id,
    sort: 'id',
    maxLimit,
    load: async (_asked, cursor, limit) => {
      const from = Number(cursor ?? 0);
      const next = from + limit < all().length ? String(from + limit) : null;
      return { rows: all().slice(from, from + limit), next };
    },
  });

/** Creates rows whose pages arrive when the test says so. */
function heldRows() {
  const loads: { text: string; cursor: string | null; answer: (page: Page<Row>) => Promise<void> }[] = [];
  const refusals: ((error: Error) => Promise<void>)[] = [];
  const rows = createRows<Row>(appHere(), {
    keyOf: ({ id }) => id,
    sort: 'id',
    maxLimit: 1_000,
    load: ({ text }, cursor) => {
      const { promise, resolve, reject } = Promise.withResolvers<Page<Row>>();
      const answer = async (page: Page<Row>) => {
        resolve(page);
        await setImmediate();
      };
      loads.push({ text, cursor, answer });
      refusals.push(async (error) => {
        reject(error);
        await setImmediate();
      });
      return promise;
    },
  });
  return { rows, loads, refusals };
}

describe('undo', () => {
  test('waits for a running change, and keeps what is changed meanwhile', async () => {
    const undone: number[] = [];
    let finishChange = (_: unknown) => {};
    let finishUndo = () => {};
    const app = appHere((id, input) => {
      if (id === 'issues.update')
        return new Promise((resolve) => {
          finishChange = resolve;
        });
      undone.push((input as { change_id: number }).change_id);
      return new Promise((resolve) => {
        finishUndo = () => resolve({ restored: 1, left: 0, change_id: null });
      });
    });
    const rows = rowsOver(app, () => rowsFrom(1, 1));
    await rows.ask({});
    const changes = changing(app, rows, selecting(app, rows, 'issue'), {
      operation: 'issues.update',
      one: 'issue',
      nameOf: ({ id }) => `#${id}`,
    });
    app.undo.push({ what: 'the previous change', changeIds: [1], one: 'issue' });
    void changes.change({ kind: 'rows', rows: rows.all() }, { what: 'closed', set: { status: 'Closed' } });
    await setImmediate();
    await app.undo.undo();
    expect(undone).toEqual([]);
    finishChange({ matched: 1, changed: 1, unchanged: 0, unknown: [], remaining: 0, change_id: 2 });
    await setImmediate();
    void app.undo.undo();
    await setImmediate();
    app.undo.push({ what: 'made meanwhile', changeIds: [3], one: 'issue' });
    finishUndo();
    await setImmediate();
    expect(undone).toEqual([2]);
    expect(app.undo.all().map(({ what }) => what)).toEqual(['the previous change', 'made meanwhile']);
  });

  test('takes back all of a change that is larger than one may be', async () => {
    let remaining = 70_000;
    const sizes: number[] = [];
    const app = appHere((id, input) => {
      if (id === 'changes.undo') return { restored: sizes.pop(), left: 0 };
      const { dry_run, change_id = sizes.length } = input as { dry_run?: true; change_id?: number };
      if (dry_run) return { matched: remaining };
      const changed = Math.min(10_000, remaining);
      remaining -= changed;
      sizes[change_id] = (sizes[change_id] ?? 0) + changed;
      if ((sizes[change_id] ?? 0) > 50_000) throw new Error('This change cannot go on.');
      return { matched: 70_000, changed, unchanged: 0, unknown: [], remaining, change_id };
    });
    const rows = rowsOver(app, () => rowsFrom(1, 1));
    await rows.ask({});
    const changes = changing(app, rows, selecting(app, rows, 'issue'), {
      operation: 'issues.update',
      one: 'issue',
      nameOf: ({ id }) => `#${id}`,
    });
    const targets = { kind: 'all', filter: { status: 'Open' } } as const;
    await changes.change(targets, { what: 'closed', set: { status: 'Closed' } });
    app.press({ key: 'y', text: 'y' });
    await expect.poll(() => app.message()?.text).toMatch(/^70,000 issues: closed\./);
    expect(sizes).toEqual([50_000, 20_000]);
    await app.undo.undo();
    expect(app.message()?.text).toBe('Restored 70,000 issues.');
  });

  test('goes back twice, and keeps what failed', async () => {
    const undone: number[] = [];
    let failing: number | undefined = 12;
    const app = appHere((_, input) => {
      const { change_id } = input as { change_id: number };
      if (change_id === failing) throw new Error('The database is unavailable.');
      undone.push(change_id);
      return { restored: 2, left: 1 };
    });
    app.undo.push({ what: '2 issues: status Closed', changeIds: [11], one: 'issue' });
    // A change of many rows took three calls.
    app.undo.push({ what: '6,000 issues: status Open', changeIds: [12, 13, 14], one: 'issue' });
    await app.undo.undo();
    expect(app.message()).toEqual({ text: 'The database is unavailable.', tone: 'failed' });
    failing = undefined;
    await app.undo.undo();
    await app.undo.undo();
    await app.undo.undo();
    expect(undone).toEqual([14, 13, 12, 11]);
    expect(app.message()?.text).toBe('There is nothing to undo.');
  });
});

describe('a form', () => {
  test('keeps a choice, its text while it saves, and says that it failed', async () => {
    let fail = (_: Error) => {};
    const app = appHere();
    const saved: unknown[] = [];
    openForm(app, {
      name: 'f',
      title: 'Reply',
      initial: { role: 'admin' },
      fields: [
        { name: 'name', label: 'Name', kind: 'line' },
        { name: 'role', label: 'Role', kind: 'choice', words: ['superadmin', 'admin', 'user'] },
      ],
      save(values) {
        saved.push(values);
        return new Promise((_resolve, reject) => {
          fail = reject;
        });
      },
    });
    press(app, 'a', 'tab', 'backspace', 'home', 'ctrl+u', 'tab', 'ctrl+s', 'b', 'ctrl+s');
    expect(saved).toEqual([{ name: 'a', role: 'admin' }]);
    press(app, 'esc');
    expect(app.dialog()).toBeUndefined();
    fail(new Error('No.'));
    await setImmediate();
    expect(app.message()?.text).toContain('Reply was not saved');
    expect(app.drafts.unsaved()).toEqual([{ title: 'f', text: 'Name:\na\n\nRole:\nadmin' }]);
  });

  test('shows the field that has the cursor and why it was not saved, however little room it has', async () => {
    const app = appHere();
    openForm(app, {
      name: 'f',
      title: 'Edit',
      initial: { text: 'a line\n'.repeat(20) },
      fields: [
        { name: 'title', label: 'Title', kind: 'line' },
        { name: 'text', label: 'Text', kind: 'text' },
      ],
      save: () => Promise.reject(new Error('Somebody was faster.')),
    });
    press(app, 'x', 'ctrl+s');
    await setImmediate();
    const lines = app.dialog()?.draw({ width: 80, height: 6 }) ?? [];
    expect(lines).toHaveLength(6);
    expect(lines[0]).toContain('Title');
    expect(lines[5]).toContain('Somebody was faster.');
  });

  test('keeps the tabs of the editor', async () => {
    const app = appHere(() => {}, { ...noHost, edit: async () => 'a\tb' });
    const saved: unknown[] = [];
    openForm(app, {
      name: 'f',
      title: 'T',
      fields: [{ name: 't', label: 'T', kind: 'text' }],
      save: async (values) => saved.push(values),
    });
    press(app, 'ctrl+x', 'ctrl+e');
    await setImmediate();
    press(app, 'ctrl+s');
    await setImmediate();
    expect(saved).toEqual([{ t: 'a\tb' }]);
  });
});

describe('rows', () => {
  test('are all refreshed, and another filter starts at its first row', async () => {
    let all: readonly Row[] = rowsFrom(1_000, 1);
    const rows = rowsOver(appHere(), () => all, 300);
    await rows.ask({});
    while (rows.all().length < 800) {
      rows.move(rows.all().length);
      await setImmediate();
    }
    rows.moveTo(499);
    expect(rows.current()).toEqual({ id: 501, status: 'Open' });
    all = all.flatMap((row) => (row.id === 450 ? [] : row.id === 501 ? { ...row, status: 'Closed' } : row));
    all = [...rowsFrom(1_010, 1_001), ...all];
    await rows.refresh();
    expect(rows.current()).toEqual({ id: 501, status: 'Closed' });
    expect(rows.all()).toEqual(all.slice(0, rows.all().length));
    expect(rows.all().length).toBeGreaterThanOrEqual(800);
    expect([rows.mark(all[0] as Row), rows.mark(all[509] as Row), rows.mark(all[20] as Row)]).toEqual([
      ...['new', 'changed', undefined],
    ]);
    await rows.ask({ text: 'x' });
    expect(rows.index()).toBe(0);
  });

  test('keep the cursor on its row when others come and go, and change as an event says', async () => {
    let all: readonly Row[] = rowsFrom(500, 1);
    const rows = rowsOver(appHere(), () => all);
    await rows.ask({});
    rows.move(30);
    all = [...rowsFrom(520, 480), ...rowsFrom(470, 1)];
    await rows.refresh();
    expect(rows.current()?.id).toBe(470);
    rows.remove([470, 471]);
    expect(rows.current()?.id).toBe(469);
    rows.patch([469, 3], (row) => ({ ...row, status: 'Closed' }));
    expect(rows.current()).toEqual({ id: 469, status: 'Closed' });
    expect(rows.mark(rows.current() as Row)).toBe('changed');
  });

  test('keep the cursor on the last that is loaded while new rows push it on', async () => {
    let all: readonly Row[] = rowsFrom(500, 1);
    const rows = rowsOver(appHere(), () => all);
    await rows.ask({});
    rows.moveTo(Number.POSITIVE_INFINITY);
    for (const first of [530, 560, 590]) {
      all = rowsFrom(first, 1);
      await rows.refresh();
      expect(rows.current()?.id).toBe(301);
    }
  });

  test('load more only for steps near the last and past it, which follow when they are loaded', async () => {
    let loads = 0;
    const rows = createRows<Row>(appHere(), {
      keyOf: ({ id }) => id,
      sort: 'id',
      maxLimit: 1_000,
      load: async (_asked, cursor, limit) => {
        loads += 1;
        const from = Number(cursor ?? 0);
        return {
          rows: rowsFrom(500, 1).slice(from, from + limit),
          next: from + limit < 500 ? String(from + limit) : null,
        };
      },
    });
    await rows.ask({});
    for (const to of [199, 0, 199]) rows.moveTo(to);
    await setImmediate();
    expect([loads, rows.index()]).toEqual([1, 199]);
    rows.move(1);
    await setImmediate();
    expect([loads, rows.index()]).toEqual([2, 200]);
    rows.moveTo(399);
    rows.moveTo(Number.POSITIVE_INFINITY);
    await setImmediate();
    expect([loads, rows.index()]).toEqual([3, 499]);
    rows.moveTo(Number.POSITIVE_INFINITY);
    rows.move(1);
    await setImmediate();
    expect([loads, rows.index()]).toEqual([3, 499]);
  });

  test('drop late answers: to another filter, to an older refresh, and a page of another filter', async () => {
    const { rows, loads, refusals } = heldRows();
    void rows.ask({ text: 'a' });
    void rows.ask({ text: 'b' });
    await setImmediate();
    await loads[1]?.answer({ rows: rowsFrom(500, 301), next: '301' });
    await loads[0]?.answer({ rows: rowsFrom(9, 1), next: null });
    expect([loads.map(({ text }) => text), rows.all()]).toEqual([['a', 'b'], rowsFrom(500, 301)]);
    rows.move(60);
    void rows.ask({ text: 'c' });
    await setImmediate();
    await loads[3]?.answer({ rows: rowsFrom(50, 1), next: null });
    await refusals[2]?.(new Error('The old filter was too slow.'));
    expect([rows.all(), rows.hasMore()]).toEqual([rowsFrom(50, 1), false]);
    void rows.refresh();
    void rows.refresh();
    await loads[5]?.answer({ rows: rowsFrom(60, 1), next: null });
    await loads[4]?.answer({ rows: rowsFrom(55, 1), next: null });
    expect(rows.all()).toEqual(rowsFrom(60, 1));
  });
  test('say why a refresh failed and keep what they are, but nothing of an old filter', async () => {
    const { rows, loads, refusals } = heldRows();
    void rows.ask({});
    await setImmediate();
    await loads[0]?.answer({ rows: rowsFrom(3, 1), next: null });
    void rows.refresh();
    await refusals[1]?.(new Error('The database is unavailable.'));
    expect([rows.error(), rows.all()]).toEqual(['The database is unavailable.', rowsFrom(3, 1)]);
    rows.move(1);
    void rows.refresh();
    await refusals[2]?.(new Error('The database is unavailable.'));
    expect([rows.all(), rows.current()?.id]).toEqual([rowsFrom(3, 1), 2]);
    void rows.refresh();
    await setImmediate();
    await loads[3]?.answer({ rows: rowsFrom(4, 1), next: null });
    expect([rows.error(), rows.all(), rows.current()?.id]).toEqual(['', rowsFrom(4, 1), 2]);
    void rows.ask({ text: 'wrong' });
    await setImmediate();
    await refusals[4]?.(new Error('Unknown field.'));
    expect([rows.error(), rows.all()]).toEqual(['Unknown field.', []]);
  });

  test('have no gap if a page and a refresh cross', async () => {
    const { rows, loads } = heldRows();
    void rows.ask({});
    await setImmediate();
    await loads[0]?.answer({ rows: rowsFrom(1_000, 801), next: '800' });
    rows.move(199);
    void rows.refresh();
    await loads[2]?.answer({ rows: rowsFrom(1_010, 662), next: '661' });
    await loads[1]?.answer({ rows: rowsFrom(800, 601), next: '600' });
    expect(rows.all()).toEqual(rowsFrom(1_010, 662));
    rows.move(60);
    void rows.refresh();
    await loads[3]?.answer({ rows: rowsFrom(661, 462), next: '461' });
    await loads[4]?.answer({ rows: rowsFrom(1_020, 602), next: '601' });
    await loads[5]?.answer({ rows: rowsFrom(1_020, 472), next: '471' });
    expect(rows.all()).toEqual(rowsFrom(1_020, 472));
  });
});

describe('key presses', () => {
  const none = {} as Parameters<typeof strokesOf>[1];

  test('leave a text alone if Alt is unbound, and Ctrl-C works after the start of a key', () => {
    const done: string[] = [];
    const action = (id: string, key: string) => ({ id, keys: [key], title: id, run: () => {} });
    const around = (write?: () => void) => ({
      top: () => ({
        actions: () => [],
        draw: () => [],
        back: () => true,
        ...(write === undefined ? {} : { write }),
      }),
      actions: () => [
        ...[action('back', 'esc'), action('delete', 'd')],
        ...[action('sort', 'S c'), action('leave', 'ctrl+c')],
      ],
      keysOf: ({ keys }: { keys: readonly string[] }) => keys,
      perform: ({ id }: { id: string }) => void done.push(id),
    });
    presses(around(() => {})).press({ key: 'alt+d' });
    expect(done).toEqual([]);
    const { press: onList, pending } = presses(around());
    onList({ key: 'S', text: 'S' });
    expect(pending()).toBe('S');
    onList({ key: 'ctrl+c' });
    expect(done.splice(0)).toEqual(['leave']);
    // Esc and a key that arrive together.
    onList({ key: 'alt+d' });
    expect(done).toEqual(['back', 'delete']);
  });

  test('are separated if several arrive together, one for each grapheme', () => {
    const keys = strokesOf('ab\r\u0013é 👩‍👩‍👧', none).map(({ key }) => key);
    expect(keys).toEqual(['a', 'b', 'enter', 'ctrl+s', 'é', 'space', '👩‍👩‍👧']);
  });

  test('include their modifiers', () => {
    expect(strokesOf('', { ...none, tab: true, shift: true })).toEqual([{ key: 'shift+tab' }]);
    expect(strokesOf('s', { ...none, ctrl: true })).toEqual([{ key: 'ctrl+s' }]);
    expect(strokesOf('', { ...none, meta: true, return: true })).toEqual([{ key: 'alt+enter' }]);
    expect(strokesOf('', { ...none, escape: true })).toEqual([{ key: 'esc' }]);
  });

  test('cancel what is about to open, and are neither its text nor an answer', async () => {
    const app = appHere();
    const { promise, resolve } = Promise.withResolvers<void>();
    let isOpened = false;
    const opened = app.openAfter(
      () => promise,
      () => {
        isOpened = true;
      },
    );
    expect(app.isOpening()).toBe(true);
    press(app, 'y');
    resolve();
    await opened;
    expect([app.isOpening(), isOpened]).toEqual([false, false]);
  });

  test.each([
    ['shift+down', 'Shift-↓'],
    ['pagedown', 'PgDn'],
    ['ctrl+x ctrl+e', 'Ctrl-X Ctrl-E'],
  ])('are called by what people know: %s is %s', (key, name) => {
    expect(keyName(key)).toBe(name);
  });
});

describe('keys.json', () => {
  const fileOf = async (text: string) => {
    const file = join(await temporaryFolder(), 'keys.json');
    await writeFile(file, text);
    return file;
  };
  const read = async (text: string) => await readOwnKeys(await fileOf(text), { isOptional: false });
  const dashboard = openDashboard(silentAccess);
  const keyboards = keyboardsOf(dashboard.app);
  dashboard.close();

  test('may be missing, unless the user names it', async () => {
    const file = join(await temporaryFolder(), 'none.json');
    expect(await readOwnKeys(file, { isOptional: true })).toEqual({});
    const named = readOwnKeys(file, { isOptional: false });
    await expect(named).rejects.toThrow(new UsageError(`File not found: ${file}.`));
  });

  test('may have what the documentation has', async () => {
    const example = /^\{ "row\.status".*$/m.exec(await readFile(join(root, 'docs', 'dashboard.md'), 'utf8'));
    expect(keyMistake(await read(example?.[0] ?? ''), keyboards)).toBeUndefined();
  });

  test('replaces the keys of an action, also by its name of version 0.2', async () => {
    const own = await read('\uFEFF{"issues.status": "T", "global.quit": ["Q", "ctrl+q"]}');
    expect(own).toEqual({ 'row.status': ['T'], quit: ['Q', 'ctrl+q'] });
    const { app, close } = openDashboard(silentAccess, { ownKeys: own });
    const keysOf = (wanted: string) =>
      app.actions().flatMap((each) => (each.id === wanted ? app.keysOf(each) : []));
    expect([keysOf('row.status'), keysOf('quit')]).toEqual([['T'], ['Q', 'ctrl+q']]);
    close();
  });

  test.each([
    ['{', /keys\.json is not valid JSON/],
    ['{"row.status": 1}', /must be a JSON object of action names and keys/],
    ['["row.status"]', /must be a JSON object of action names and keys/],
  ])('is refused with a sentence: %s', async (text, sentence) => {
    const refused = read(text);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(sentence);
  });

  test.each<[own: OwnKeys, sentence: RegExp]>([
    [{ 'row.stauts': ['x'] }, /^There is no action row\.stauts\. .*row\.status/],
    [JSON.parse('{ "__proto__": ["x"] }'), /^There is no action __proto__\./],
    [
      { 'row.status': ['control-x'] },
      /^No terminal sends control-x, the key of row\.status\. Use a character/,
    ],
    [{ 'row.status': ['shift+a'] }, /^No terminal sends shift\+a/],
    [{ 'row.status': ['n'] }, /^n is the key of both (row\.status|issues\.create)/],
    [{ quit: ['S'] }, /^S is the key of quit, and begins S /],
    [{ 'form.save': ['ctrl+x'] }, /^ctrl\+x is the key of form\.save, and begins ctrl\+x ctrl\+e/],
  ])('names its first mistake: %j', (own, sentence) => {
    expect(keyMistake(own, keyboards)).toMatch(sentence);
    expect(() => openDashboard(silentAccess, { ownKeys: own })).toThrow(UsageError);
  });

  test('takes the keys that terminals send, and no others', () => {
    const bound = keyboards.flatMap(({ actions }) => actions.flatMap(({ keys }) => keys));
    expect(bound.filter((key) => !isKey(key))).toEqual([]);
    const sent = ['A', 'é', '/', '[', 'alt+d', 'alt+A', 'ctrl+alt+s', 'ctrl+space', 'ctrl+shift+home', 'S x'];
    expect(sent.filter((key) => !isKey(key))).toEqual([]);
    const never = ['shift+a', 'ctrl+S', 'ctrl+1', 'ctrl+i', 'ctrl+m', 'ctrl+enter', 'f1', 'alt+[', 'ab', ''];
    expect(never.filter(isKey)).toEqual([]);
  });
});

describe('preferences.json', () => {
  const fileOf = async (text: string) => {
    const file = join(await temporaryFolder(), 'preferences.json');
    await writeFile(file, text);
    return file;
  };
  const stored = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

  test('is created, and keeps what this version does not know', async () => {
    const file = join(await temporaryFolder(), 'config', 'preferences.json');
    const store = await openPreferences(file);
    expect(store.get()).toEqual({});
    await store.change((before) => ({ ...before, theme: 'light' }));
    expect(await stored(file)).toEqual({ theme: 'light' });
    await writeFile(file, '\uFEFF{\r\n  "theme": "high-contrast",\r\n  "later": { "a": [1] }\r\n}\r\n');
    const again = await openPreferences(file);
    await again.change((before) => ({ ...before, notify: 'bell' }));
    expect(await stored(file)).toEqual({ theme: 'high-contrast', notify: 'bell', later: { a: [1] } });
    expect(await readdir(join(file, '..'))).toEqual(['preferences.json']);
  });

  test('keeps the changes of two dashboards, the order of quick changes of one, and a link to another file', async () => {
    const target = await fileOf('{}');
    const file = join(await temporaryFolder(), 'preferences.json');
    await symlink(target, file);
    const [one, other] = [await openPreferences(file), await openPreferences(file)];
    await Promise.all([
      one.change((before) => ({ ...before, theme: 'light' })),
      other.change((before) => ({ ...before, later: 1 })),
    ]);
    await Promise.all(
      ['dark', 'auto', 'light'].map((theme) => other.change((before) => ({ ...before, theme }))),
    );
    expect(await stored(target)).toEqual({ theme: 'light', later: 1 });
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
  });

  test('keeps views of any name', async () => {
    const text = '{"views":{"__proto__":{"filter":"a"},"constructor":{"filter":"b"}}}';
    const file = await fileOf(text);
    const store = await openPreferences(file);
    await store.change((before) => ({ ...before, theme: 'light' }));
    expect((await stored(file)).views).toEqual(JSON.parse(text).views);
    await writeFile(file, '{\n"views": {\n"__proto__": 1}}');
    await expect(openPreferences(file)).rejects.toThrow('preferences.json: views.__proto__ is invalid.');
  });

  test.each([
    ['{\n  "theme": "light",\n}', /preferences\.json is not valid JSON: .*line 3/],
    ['{\n\n  "theme": 1\n}', /preferences\.json: theme is invalid\. .*Correct the file, or delete it\.$/],
  ])('is refused and stays if it is damaged: %j', async (text, sentence) => {
    const file = await fileOf(text);
    const opened = openPreferences(file);
    await expect(opened).rejects.toThrow(UsageError);
    await expect(opened).rejects.toThrow(sentence);
    await writeFile(file, '{}');
    const store = await openPreferences(file);
    await writeFile(file, text);
    await expect(store.change((before) => ({ ...before, theme: 'dark' }))).rejects.toThrow(sentence);
    expect(await readFile(file, 'utf8')).toBe(text);
    // The choice applies until the dashboard ends.
    expect(store.get().theme).toBe('dark');
  });
});

describe('with time', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('a lost connection is tried after 1, 2, 4, 8, and then every 10 seconds, until it is back', async () => {
    const told: boolean[] = [];
    const start = Date.now();
    const pings: number[] = [];
    const connection = watchConnection(
      () => {
        pings.push((Date.now() - start) / 1_000);
        connection.failed('It is away.');
      },
      (isBack) => told.push(isBack),
    );
    connection.failed('It is away.');
    // A second call that fails changes nothing.
    connection.failed('It is away.');
    expect(connection.lost()).toEqual({ reason: 'It is away.', retryAt: start + 1_000 });
    await vi.advanceTimersByTimeAsync(40_000);
    expect(pings).toEqual([1, 3, 7, 15, 25, 35]);
    connection.succeeded();
    expect(told.filter((isBack) => isBack)).toEqual([true]);
    connection.failed('Again.');
    expect(connection.lost()?.retryAt).toBe(Date.now() + 1_000);
    connection.stop();
    await vi.advanceTimersByTimeAsync(40_000);
    expect(pings).toHaveLength(6);
  });

  test('the bell rings once for a burst, and again when it is over, but never for what one has done oneself', async () => {
    let rings = 0;
    let mode: NotifyMode = 'off';
    const bell = createBell(
      () => mode,
      (actor) => actor === 'grace@example.com',
      () => {
        rings += 1;
      },
    );
    const eventOf = (type: string, data: object, more: Partial<Event> = {}) =>
      ({ id: 1, type, actor: 'linus@example.com', subject_id: '1', data, ...more }) as Event;
    const issue = (severity: string, more: Partial<Event> = {}) =>
      eventOf('issue.created', { title: 'It is down', severity }, more);
    const message = (sender_type: string, conversation_id = 'conv_1') =>
      eventOf('message.created', { conversation_id, sender_type });
    const receive = async (seconds: number, ...events: readonly Event[]) => {
      bell.receive(events);
      await vi.advanceTimersByTimeAsync(seconds * 1_000);
    };
    await receive(1, issue('Critical'));
    mode = 'bell';
    await receive(1, issue('High'), message('admin'), issue('Critical', { actor: 'grace@example.com' }));
    // The event may arrive before the answer that tells the id.
    await receive(0, issue('Critical', { subject_id: '900' }), message('visitor', 'conv_own'));
    bell.created(900);
    bell.created('conv_own');
    await receive(1);
    expect(rings).toBe(0);
    await receive(1, issue('Critical'), issue('Critical'), message('visitor'));
    expect(rings).toBe(1);
    for (let second = 0; second < 20; second += 1) await receive(1, message('visitor'));
    await receive(10);
    expect(rings).toBe(1);
    await receive(1, issue('Critical', { subject_id: '7' }));
    expect(rings).toBe(2);
    bell.stop();
  });
});

test('however often it restarts, there is one follower of events', async () => {
  const open = new Set<AbortSignal>();
  const access = {
    async *follow({ signal }: { signal: AbortSignal }) {
      open.add(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      open.delete(signal);
      yield* [];
    },
  };
  const none = () => {};
  const follower = followEvents(access as unknown as Access, { onEvents: none, onGap: none, onLive: none });
  for (let restart = 0; restart < 3; restart += 1) follower.restart();
  await setImmediate();
  expect(open.size).toBe(1);
  follower.stop();
  await setImmediate();
  expect(open.size).toBe(0);
});

test('the clipboard gets a text in base64, as it is and wrapped for tmux, in short pieces for screen, or not at all', () => {
  expect(clipboardSequence('Größe', undefined)).toBe('\u001B]52;c;R3LDtsOfZQ==\u0007');
  expect(clipboardSequence('a', 'tmux')).toBe(
    '\u001B]52;c;YQ==\u0007\u001BPtmux;\u001B\u001B]52;c;YQ==\u0007\u001B\\',
  );
  const pieces = clipboardSequence('a'.repeat(2_000), 'screen')?.split('\u001B\\') ?? [];
  expect(pieces.length).toBeGreaterThan(3);
  for (const piece of pieces) expect(piece.length).toBeLessThan(512);
  // Terminals would drop it.
  expect(clipboardSequence('a'.repeat(maxCopiedBytes), undefined)).toBeDefined();
  expect(clipboardSequence('a'.repeat(maxCopiedBytes + 1), undefined)).toBeUndefined();
});
