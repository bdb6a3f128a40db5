import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { secretsIn } from '../../access/settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { emit, emitList, type Format } from '../../output/emit.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';

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

/** `backoffice settings list`. */
export function listSettingsCommand(): Command {
  const command = new Command('list').description(
    'list all settings; the values of secret ones are not shown',
  );
  withTable(command, list, { page: 'settings' });
  return runs(command, 'settings.show').action(async (format: Format) => {
    const document = await withAccess(command, (access) =>
      access.call('settings.show', { section: 'none', include: 'details' }),
    );
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
  });
}
