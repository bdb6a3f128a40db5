import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readAllSettings } from '../../access/settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { FailedError } from '../../errors.ts';
import { printData } from '../../terminal.ts';

/** `backoffice settings export`. */
export function exportSettingsCommand(): Command {
  const command = new Command('export')
    .description('print all settings as one JSON object, for `settings import`')
    .addHelpText('after', '\nExample:\n  backoffice settings export > settings.json');
  return runs(command, 'settings.show').action(async () => {
    const { settings, unreadable } = await withAccess(command, readAllSettings);
    printData(JSON.stringify(settings, null, 2));
    const reasons = Object.values(unreadable);
    if (reasons.length > 0) throw new FailedError(`Not all settings were exported. ${reasons.join(' ')}`);
  });
}
