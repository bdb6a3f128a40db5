import { Command } from 'commander';
import { readSettings } from '../../access/settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { emit, type Format, withFormats } from '../../output/emit.ts';
import { printData } from '../../terminal.ts';

/** `backoffice settings get`. */
export function getSettingCommand(): Command {
  const command = new Command('get')
    .description('print the value of one setting, as it is')
    .argument('<key>', 'the key of the setting')
    .addHelpText('after', '\nExample:\n  backoffice settings get site_name');
  return withFormats(command).action(async (key: string, format: Format) => {
    const settings = await withAccess(command, readSettings);
    if (!Object.hasOwn(settings, key)) throw new NotFoundError(`There is no setting ${key}.`);
    const value = settings[key] ?? '';
    await emit({ key, value }, format, undefined, () => printData(value));
  });
}
