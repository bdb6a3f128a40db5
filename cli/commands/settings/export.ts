import { Command } from 'commander';
import { readSettings } from '../../access/settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { printData } from '../../terminal.ts';

/** `backoffice settings export`. */
export function exportSettingsCommand(): Command {
  const command = new Command('export')
    .description('print every setting as one JSON object, for settings import')
    .addHelpText('after', '\nExample:\n  backoffice settings export > settings.json');
  return command.action(async () => {
    printData(JSON.stringify(await withAccess(command, readSettings), null, 2));
  });
}
