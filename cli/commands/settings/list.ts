import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emit, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { remark } from '../../terminal.ts';

/** `backoffice settings list`. */
export function listSettingsCommand(): Command {
  const command = new Command('list').description('list all settings');
  return runs(withFormats(command), 'settings.show').action(async (format: Format) => {
    const document = await withAccess(command, (access) => access.call('settings.show', { section: 'none' }));
    await emit(document, format, undefined, async () => {
      const rows = Object.entries(document.settings);
      if (rows.length === 0) return remark('No settings.');
      await emitTable<[string, string]>(
        [
          { heading: 'key', value: ([key]) => key },
          { heading: 'value', value: ([, value]) => value, cut: true },
        ],
        rows,
      );
    });
  });
}
