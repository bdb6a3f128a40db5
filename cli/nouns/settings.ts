import { readAllSettings, secretSentence, secretsIn } from '../access/settings.ts';
import { FailedError, NotFoundError, UsageError } from '../errors.ts';
import { canEdit, type LongText, withEditedDocument } from '../input/long-text.ts';
import { confirm } from '../input/prompts.ts';
import { emit, emitChange, emitList } from '../output/emit.ts';
import type { Column } from '../terminal/columns.ts';
import { print, printData, remark } from '../terminal/terminal.ts';
import { inLines, printable } from '../terminal/text.ts';
import { emitDone, yes } from '../verb/change.ts';
import { argument, flag, maybe, text } from '../verb/parameters.ts';
import { calling, verbs } from '../verb/verb.ts';
import { checkSettings, importSettings, showEffect } from './settings-import.ts';

interface ListedSetting {
  readonly key: string;
  /** Null if it is secret. */
  readonly value: string | null;
}

const list = { name: 'settings', id: 'key', fields: () => ['key', 'value'] };

const columns: readonly Column<ListedSetting>[] = [
  { heading: 'key', value: ({ key }) => key },
  { heading: 'value', value: ({ value }) => value ?? '(secret)', cut: true },
];

const key = argument(text('the key of the setting', 'key', 'setting keys'));

const throwNoSetting = (key: string): never => {
  throw new NotFoundError(`No setting ${key}. Run \`backoffice settings list\` to see all.`);
};

/** The settings of the website. */
export const settings = verbs('backoffice settings get site_name', {
  list: calling('settings.show', {
    about: 'list all settings; the values of secret ones are not shown',
    output: 'table',
    fields: list.fields,
    web: { page: 'settings' },
    examples: ['backoffice settings list --json'],
    async run({ format, access }) {
      const document = await access.call('settings.show', { section: 'none', include: 'details' });
      const { json, jsonl, jq } = format;
      // In JSON, as the API has them: an object of keys and values.
      if (jsonl === undefined && (json !== undefined || jq !== undefined))
        return await emit(document, format, 'settings', () => {});
      const { settings: readable, details = {} } = document;
      const settings: readonly ListedSetting[] = [
        ...Object.entries(readable).map(([key, value]) => ({ key, value })),
        ...[...secretsIn(details)].map((key) => ({ key, value: null })),
      ];
      await emitList({ settings }, format, list, columns, { none: 'No settings.' });
    },
  }),

  get: calling('settings.show', {
    about: 'print the value of a setting, unless it is secret',
    params: { key },
    fields: list.fields,
    examples: ['backoffice settings get site_name'],
    async run({ given: { key }, format, access }) {
      const { settings, secrets } = await readAllSettings(access);
      if (secrets.has(key)) throw new FailedError(secretSentence(key));
      const value = Object.hasOwn(settings, key) ? settings[key] : undefined;
      if (value === undefined) return throwNoSetting(key);
      await emit({ key, value }, format, undefined, () => printData(value));
    },
  }),

  set: calling('settings.update', {
    about: 'set a setting; key and value are stored exactly as given',
    params: {
      key,
      value: {
        ...maybe(
          text(
            'the value, or - for standard input without its last line break; omit it to change the value in your editor',
            'value',
          ),
        ),
        isText: true,
      },
      expected: text('only if it still has this value; not for a secret one', 'value'),
      secret: flag('store it encrypted, now and whenever it is set, and show it to nobody'),
      force: flag('store it even if the service cannot read it'),
    },
    notes: 'Values of settings that the service itself reads are checked first.',
    examples: [
      'backoffice settings set site_name "My site"',
      'backoffice settings set token_budgets',
      'backoffice settings set --secret smtp_password - < password.txt',
    ],
    async run({ given: { key, value: given, expected, secret, force = false }, format, access }) {
      /** Stores a value, if the stored one is the one seen: null if there was none, undefined if that does not matter. */
      const set = async (value: string, seen: string | null | undefined) => {
        await checkSettings([[key, value]], force);
        const done = await access.call('settings.update', {
          updates: { [key]: value },
          check: !force,
          ...(secret ? { secret: [key] } : {}),
          ...(seen === undefined ? {} : { expected: { [key]: seen } }),
        });
        await emitChange(done, format, async () => {
          print(`Set ${printable(key)}.`);
          await showEffect(access, [key], print);
        });
      };
      if (given !== undefined) return await set(given, expected);
      if (!canEdit()) throw new UsageError('Give a value, or - to read it from standard input.');
      const { settings, secrets } = await readAllSettings(access);
      const stored = Object.hasOwn(settings, key) ? settings[key] : undefined;
      const seen = expected ?? (secrets.has(key) ? undefined : (stored ?? null));
      const text = await editedValue(key, stored, secrets.has(key));
      await withEditedDocument(text, (value) => set(value, seen));
    },
  }),

  unset: calling('settings.delete', {
    about: 'delete a setting',
    params: { key, yes },
    examples: ['backoffice settings unset site_name'],
    async run({ given: { key, yes }, format, access }) {
      const { settings, secrets } = await readAllSettings(access);
      if (!Object.hasOwn(settings, key) && !secrets.has(key)) throwNoSetting(key);
      await confirm(`Delete the setting ${key}?`, yes);
      const done = await access.call('settings.delete', { key });
      await emitDone(done, format, `Deleted ${key}.`);
    },
  }),

  export: calling('settings.show', {
    about: 'print all settings but the secret ones as one JSON object, for `settings import`',
    output: 'nothing',
    examples: ['backoffice settings export > settings.json'],
    async run({ access }) {
      const { settings, secrets } = await readAllSettings(access);
      printData(JSON.stringify(settings, null, 2));
      if (secrets.size > 0)
        remark(printable(`Left out, because they are secret: ${[...secrets].join(', ')}.`));
    },
  }),

  import: importSettings,
});

/** Returns what the editor shows of a setting. */
async function editedValue(key: string, stored = '', isSecret: boolean): Promise<LongText> {
  const { knownSetting } = await import('../../src/contract/known-settings/known-settings.ts');
  const known = knownSetting(key);
  const isJson = known?.kind === 'json';
  return {
    what: 'value',
    initial: isJson ? inLines(stored) : stored,
    mayBeEmpty: true,
    about: [
      `The setting ${printable(key)}.`,
      ...(isSecret ? ['It is secret, so its value is not shown. What you write here replaces it.'] : []),
      ...(known === undefined ? [] : [known.description]),
    ],
    ending: isJson ? 'json' : 'txt',
  };
}
