import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readAllSettings, secretSentence } from '../../access/settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { FailedError, NotFoundError } from '../../errors.ts';
import { emit, type Format, withFormats } from '../../output/emit.ts';
import { printData } from '../../terminal.ts';

/** `backoffice settings get`. */
export function getSettingCommand(): Command {
  const command = new Command('get')
    .description('print the value of a setting, unless it is secret')
    .argument('<key>', 'the key of the setting')
    .addHelpText('after', '\nExample:\n  backoffice settings get site_name');
  return runs(withFormats(command), 'settings.show').action(async (key: string, format: Format) => {
    const { settings, secrets } = await withAccess(command, readAllSettings);
    if (secrets.has(key)) throw new FailedError(secretSentence(key));
    if (!Object.hasOwn(settings, key))
      throw new NotFoundError(`No setting ${key}. Run \`backoffice settings list\` to see all.`);
    const value = settings[key] ?? '';
    await emit({ key, value }, format, undefined, () => printData(value));
  });
}
