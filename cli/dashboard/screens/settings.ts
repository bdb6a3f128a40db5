import { BackofficeError } from '../../../src/contract/errors.ts';
import { defineNoun } from '../../../src/contract/fields/field.ts';
import {
  knownSetting,
  knownSettings,
  settingProblem,
} from '../../../src/contract/known-settings/known-settings.ts';
import { refusalToChange } from '../../../src/contract/known-settings/setting-rights.ts';
import { pages } from '../../../src/contract/pages.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { secretSentence } from '../../access/settings.ts';
import { wrap } from '../../terminal/cells.ts';
import { listColumns } from '../../terminal/columns.ts';
import { describeSetting } from '../../terminal/describe-setting.ts';
import { counted, inLines, printable } from '../../terminal/text.ts';
import { dateTime } from '../../terminal/time.ts';
import type { App } from '../app/app.ts';
import { action, type Calls, type Part, type Screen } from '../app/types.ts';
import { type FormField, openForm } from '../dialogs/form.ts';
import { style } from '../draw/style.ts';
import { listScreen, rowAction } from '../list/list-screen.ts';
import type { Rows } from '../list/rows.ts';
import { wholeRows } from '../list/sources.ts';
import { asking } from '../parts/asking.ts';
import { copying } from '../parts/copying.ts';
import { detail } from '../parts/detail.ts';

type Answer = OutputOf<'settings.show'>;

interface Setting {
  readonly key: string;
  readonly state: 'set' | 'secret' | 'not set';
  /** Empty if it is secret or not set. */
  readonly value: string;
  /** Returns how the service reads it; empty if it does not. It may name the present time. */
  readonly meaning: () => string;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
}

const noun = defineNoun({
  id: 'settings',
  one: 'setting',
  many: 'settings',
  event: 'setting',
  table: 'settings',
  filterExample: 'part of a key or value',
  fields: {
    key: { kind: 'key', label: 'Key', example: 'site_name' },
    value: { kind: 'line', label: 'Value', example: 'Example' },
    meaning: { kind: 'line', label: 'Meaning', example: 'Name: Example.' },
    updated_by: { kind: 'line', label: 'By', example: 'grace@example.com' },
    updated_at: { kind: 'time', label: 'Updated', example: '2026-01-31T09:30:00.000Z' },
  },
});
const columns = listColumns<Setting>(
  noun,
  { key: 0, value: 0, meaning: 2, updated_at: 1 },
  {
    key: { width: 28, tone: () => 'accent' },
    value: {
      value: ({ state, value }) => (state === 'set' ? value : `(${state})`),
      tone: ({ state }) => (state === 'set' ? undefined : 'quiet'),
    },
    meaning: { width: 50, value: ({ meaning }) => meaning() },
    updated_by: { width: 20 },
  },
);

const showAll = (app: App) => app.call('settings.show', { section: 'none', include: 'details' });

function settingIn({ settings, details = {} }: Answer, key: string): Setting {
  const more = Object.hasOwn(details, key) ? details[key] : undefined;
  const isSet = Object.hasOwn(settings, key);
  return {
    key,
    state: isSet ? 'set' : more?.is_secret ? 'secret' : 'not set',
    value: isSet ? (settings[key] ?? '') : '',
    meaning: () => describeSetting(key, settings) ?? '',
    updated_at: more?.updated_at ?? null,
    updated_by: more?.updated_by ?? null,
  };
}

/** Returns all settings, and those that the service reads and that are not set. */
function settingsIn(answer: Answer): readonly Setting[] {
  const known = knownSettings.map(({ key }) => key);
  const keys = new Set([...Object.keys(answer.settings), ...Object.keys(answer.details ?? {}), ...known]);
  return [...keys].sort().map((key) => settingIn(answer, key));
}

export function settingsScreen(app: App): Screen {
  const load = async () => settingsIn(await showAll(app));
  const rows = wholeRows<Setting>(
    app,
    load,
    ({ key }) => key,
    ({ key, value }) => [key, value],
  );
  const asked = asking(app, rows, { noun, columns, hidden: ['updated_by'] });
  const screen = listScreen<Setting>(
    {
      id: 'settings',
      title: 'Settings',
      calls: 'settings.show',
      columns: asked.columns,
      isDone: ({ state }) => state === 'not set',
      empty: () => 'No setting matches.',
      reveal: (key) => asked.filter(String(key)),
      async find(text) {
        const words = text.toLowerCase().replace(/^settings? /, '');
        return (await load())
          .filter(({ key }) => key.toLowerCase().includes(words))
          .slice(0, 5)
          .map(({ key }) => ({
            title: `Setting ${printable(key)}`,
            run: () => app.visit('settings', key),
          }));
      },
    },
    rows,
    [
      detail(app, rows, { titleOf: ({ key }) => printable(key), lines: settingLines }),
      asked,
      changingSettings(app, rows),
      copying(app, rows, {
        path: ({ key }) => `${pages.settings.path}?q=${encodeURIComponent(key)}`,
        short: ({ key }) => key,
        whole({ key, state, value }) {
          if (state === 'set') return value;
          throw new Error(state === 'secret' ? secretSentence(key) : `The setting ${key} is not set.`);
        },
      }),
      {
        figures() {
          // Who has a role here has a token, for which the strict rules hold.
          const role = app.identity()?.role;
          const current = rows.current();
          const refusal = role && current && refusalToChange(role, current.key, true);
          return style.quiet([counted(rows.all().length, 'setting'), refusal ?? []].flat().join(' · '));
        },
        onEvents(events) {
          if (events.some(({ type }) => /^settings?\./.test(type))) app.refresh();
        },
      },
    ],
  );
  asked.openView();
  return screen;
}

function settingLines(
  { key, state, value, meaning, updated_at, updated_by }: Setting,
  cells: number,
): readonly string[] {
  const known = knownSetting(key);
  const room = cells - 4;
  const shown = state === 'secret' ? secretSentence(key) : isJson(key, value) ? inLines(value) : value;
  const by = updated_by === null ? '' : ` by ${updated_by}`;
  const updated = updated_at === null ? '' : `Updated ${dateTime(updated_at)} UTC${by}.`;
  return [
    ...(known === undefined
      ? []
      : [...wrap(meaning(), room).map(style.strong), ...wrap(known.description, room).map(style.quiet)]),
    ...(state === 'not set' ? [] : [...wrap(updated, room).map(style.quiet), '', ...wrap(shown, room)]),
  ].map((line) => `  ${line}`);
}

/** Creates, changes and deletes settings. */
function changingSettings(app: App, rows: Rows<Setting>): Part {
  const find = async (key: string) => settingIn(await showAll(app), key);
  const on = rowAction(app, rows);
  const confirmInvalid = (problem: string) =>
    new Promise<unknown>((resolve, reject) =>
      app.confirm(
        `${problem} The service will ignore it. Save it anyway?`,
        () => resolve(undefined),
        () => reject(new Error(problem)),
      ),
    );
  /** @param seen - what the person saw of it */
  const write = async (key: string, value: string, seen: Pick<Setting, 'state' | 'value'>) => {
    const problem = settingProblem(key, value);
    if (problem !== undefined) await confirmInvalid(problem);
    await app.call('settings.update', {
      updates: { [key]: value },
      check: problem === undefined,
      // The value of a secret is compared with nothing.
      ...(seen.state === 'secret' ? {} : { expected: { [key]: seen.state === 'set' ? seen.value : null } }),
    });
  };
  const show = async (key: string) => {
    app.say(`Saved ${key}.`);
    await rows.refresh();
    await rows.reveal(key);
    const row = rows.current();
    if (row?.key === key && row.meaning() !== '') app.say(`Saved ${key}. ${row.meaning()}`);
  };
  const create = () =>
    openForm(app, {
      name: 'new setting',
      title: 'New setting',
      verb: 'create',
      fields: [{ name: 'key', label: 'Key', kind: 'line', placeholder: 'site_name' }, valueField('', '')],
      async save({ key = '', value = '' }) {
        if (key === '') throw new Error('Enter a key.');
        const refusal = app.refusalOf({ title: changeTitle, calls: changeOf(key) });
        if (refusal !== undefined) throw new Error(refusal);
        const { state } = await find(key);
        if (state !== 'not set') throw new Error(`The setting ${key} already exists. Edit it instead.`);
        await write(key, value, { state, value: '' });
        return key;
      },
      saved: show,
    });
  // It is read again first: the list may be older than what this person has just saved.
  const edit = ({ key }: Setting, inEditor = false) =>
    app.openAfter(
      () => find(key),
      (found) => {
        let seen = found;
        const form = openForm(app, {
          name: `value of ${key}`,
          initial: { value: seen.value },
          title: `${seen.state === 'secret' ? 'New value' : 'Value'} of ${printable(key)}`,
          fields: [valueField(key, seen.value)],
          async reread() {
            seen = await find(key);
            return { value: seen.value };
          },
          async save({ value = '' }, changed) {
            if (changed.value === undefined) return app.say('Nothing was changed.', 'note');
            try {
              await write(key, value, seen);
              return key;
            } catch (error) {
              const isSecretNow = seen.state !== 'secret' && (await find(key)).state === 'secret';
              throw isSecretNow ? secretNow(key) : error;
            }
          },
          saved: (saved: string | undefined) => saved && show(saved),
        });
        return inEditor ? form.compose() : undefined;
      },
    );
  const remove = ({ key, state, value }: Setting) =>
    state === 'not set'
      ? app.say(`The setting ${key} is not set.`, 'note')
      : app.confirm(`Delete the setting ${key}?`, async () => {
          const expected = state === 'secret' ? {} : { [key]: value };
          await app.call('settings.update', { updates: {}, remove: [key], expected });
          app.say(`Deleted ${key}.`);
          await rows.refresh();
        });
  return {
    actions: () => {
      const key = rows.current()?.key ?? '';
      const change = changeOf(key);
      return [
        action(
          'settings.create',
          'n',
          { title: 'Create a setting', hint: 'new', calls: 'settings.update' },
          create,
        ),
        on('row.edit', 'e', { title: changeTitle, hint: 'edit', calls: change }, (row) => edit(row)),
        on('row.editor', 'E', { title: 'Change it in your editor', calls: change }, (row) => edit(row, true)),
        on(
          'row.delete',
          ['D', 'delete'],
          { title: 'Delete this setting', hint: 'delete', calls: ['settings.delete', { key }] },
          remove,
        ),
      ];
    },
  };
}

const changeTitle = 'Change this setting';
/** Who may change a setting depends on its key. */
const changeOf = (key: string): Calls => ['settings.update', { updates: { [key]: '' } }];

const secretNow = (key: string) =>
  new BackofficeError({ code: 'changed', text: `Changed meanwhile: ${key} is secret now.` });

/** Reports whether the service reads a value as JSON, or it looks like it. */
const isJson = (key: string, value: string) => knownSetting(key)?.kind === 'json' || /^\s*[[{]/.test(value);

const valueField = (key: string, value: string): FormField => ({
  name: 'value',
  label: 'Value',
  kind: 'text',
  ...(isJson(key, value) ? { suffix: '.json', problemOf: jsonProblem } : { suffix: '.txt' }),
});

function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `This is not valid JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`;
  }
}
