import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readAllSettings } from '../../access/settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';

/** `backoffice settings unset`. */
export function unsetSettingCommand(): Command {
  const command = new Command('unset')
    .description('delete a setting')
    .argument('<key>', 'the key of the setting')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice settings unset site_name');
  return runs(withFormats(command), 'settings.delete').action(
    async (key: string, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { settings, secrets } = await readAllSettings(access);
        if (!Object.hasOwn(settings, key) && !secrets.has(key))
          throw new NotFoundError(`No setting ${key}. Run \`backoffice settings list\` to see all.`);
        await confirm(`Delete the setting ${key}?`, yes);
        const done = await access.call('settings.delete', { key });
        await emitChange(done, format, () => print(`Deleted ${printable(key)}.`));
      });
    },
  );
}
