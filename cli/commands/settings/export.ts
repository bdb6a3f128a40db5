import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readSettings } from '../../access/settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { printData } from '../../terminal.ts';

/** `backoffice settings export`. */
export function exportSettingsCommand(): Command {
  const command = new Command('export')
    .description('print all settings as one JSON object, for `settings import`')
    .addHelpText('after', '\nExample:\n  backoffice settings export > settings.json');
  return runs(command, 'settings.show').action(async () => {
    printData(JSON.stringify(await withAccess(command, readSettings), null, 2));
  });
}
