import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readAllSettings } from '../../access/settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { printable } from '../../output/text.ts';
import { printData, remark } from '../../terminal.ts';

/** `backoffice settings export`. */
export function exportSettingsCommand(): Command {
  const command = new Command('export')
    .description('print all settings but the secret ones as one JSON object, for `settings import`')
    .addHelpText('after', '\nExample:\n  backoffice settings export > settings.json');
  return runs(command, 'settings.show').action(async () => {
    const { settings, secrets } = await withAccess(command, readAllSettings);
    printData(JSON.stringify(settings, null, 2));
    if (secrets.size > 0) remark(printable(`Left out, because they are secret: ${[...secrets].join(', ')}.`));
  });
}
