import { Command, Option } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { readInputText } from '../../input/standard-input.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';

interface SetOptions extends Format {
  readonly expected?: string;
  readonly new?: boolean;
  readonly secret?: true;
}

/** `backoffice settings set`. */
export function setSettingCommand(): Command {
  const command = new Command('set')
    .description('set a setting; key and value are stored exactly as given')
    .argument('<key>', 'the key of the setting')
    .argument('<value>', 'the value, or - for standard input without its last line break')
    .option('--expected <value>', 'only if it still has this value')
    .addOption(new Option('--new', 'only if it is not set yet').conflicts('expected'))
    .option('--secret', 'store it encrypted, now and whenever it is set')
    .addHelpText(
      'after',
      `
Examples:
  backoffice settings set site_name "My site"
  backoffice settings set --secret smtp_password - < password.txt`,
    );
  return runs(withFormats(command), 'settings.update').action(
    async (key: string, given: string, { expected, new: isNew, secret, ...format }: SetOptions) => {
      const value = given === '-' ? await readInputText() : given;
      const seen = isNew ? null : expected;
      const done = await withAccess(command, (access) =>
        access.call('settings.update', {
          updates: Object.fromEntries([[key, value]]),
          check: true,
          ...(secret ? { secret: [key] } : {}),
          ...(seen === undefined ? {} : { expected: Object.fromEntries([[key, seen]]) }),
        }),
      );
      await emitChange(done, format, () => print(`Set ${printable(key)}.`));
    },
  );
}
