import { Command, Option } from 'commander';
import { knownSetting } from '../../../src/contract/known-settings/known-settings.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { readAllSettings } from '../../access/settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { UsageError } from '../../errors.ts';
import { canEdit, withEditedDocument, withText } from '../../input/long-text.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';
import { checkSettings } from './check-settings.ts';
import { showEffect } from './show-effect.ts';

interface SetOptions extends Format {
  readonly expected?: string;
  readonly new?: boolean;
  readonly secret?: true;
  readonly force?: true;
}

/** `backoffice settings set`. */
export function setSettingCommand(): Command {
  const command = new Command('set')
    .description('set a setting; key and value are stored exactly as given')
    .argument('<key>', 'the key of the setting')
    .argument(
      '[value]',
      'the value, or - for standard input without its last line break; omit it to change the value in your editor',
    )
    .option('--expected <value>', 'only if it still has this value; not for a secret one')
    .addOption(new Option('--new', 'only if it is not set yet').conflicts('expected'))
    .option('--secret', 'store it encrypted, now and whenever it is set, and show it to nobody')
    .option('--force', 'store it even if the service cannot read it')
    .addHelpText(
      'after',
      `
Values of settings that the service itself reads are checked first.

Examples:
  backoffice settings set site_name "My site"
  backoffice settings set token_budgets
  backoffice settings set --secret smtp_password - < password.txt`,
    );
  return runs(withFormats(command), 'settings.update').action(
    async (key: string, given: string | undefined, options: SetOptions) => {
      if (given !== undefined)
        return await withText(given, { what: 'value', mayBeEmpty: true }, async (value) => {
          checkSettings([[key, value]], options.force === true);
          await withAccess(command, (access) => set(access, key, value, options));
        });
      if (!canEdit()) throw new UsageError('Give a value, or - to read it from standard input.');
      await withAccess(command, async (access) => {
        const { settings, secrets } = await readAllSettings(access);
        const seen = Object.hasOwn(settings, key) ? settings[key] : undefined;
        await withEditedDocument(valueText(key, seen, secrets.has(key)), async (value) => {
          checkSettings([[key, value]], options.force === true);
          await set(access, key, value, {
            ...(secrets.has(key) ? {} : sameAs(seen)),
            ...options,
          });
        });
      });
    },
  );
}

/** Returns the options that write a setting only if it is as the person saw it. */
function sameAs(seen: string | undefined) {
  return seen === undefined ? { new: true } : { expected: seen };
}

function valueText(key: string, seen: string | undefined, isSecret: boolean) {
  const known = knownSetting(key);
  return {
    what: 'value',
    initial: readable(seen ?? '', known?.kind === 'json'),
    mayBeEmpty: true,
    about: [
      `The setting ${printable(key)}.`,
      ...(isSecret ? ['It is secret, so its value is not shown. What you write here replaces it.'] : []),
      ...(known === undefined ? [] : [known.description]),
    ],
    ending: known?.kind === 'json' ? 'json' : 'txt',
  };
}

/** Returns JSON in lines, as people read it. */
function readable(value: string, isJson: boolean): string {
  try {
    return isJson ? JSON.stringify(JSON.parse(value), null, 2) : value;
  } catch {
    return value;
  }
}

async function set(
  access: Access,
  key: string,
  value: string,
  { expected, new: isNew, secret, force, ...format }: SetOptions,
): Promise<void> {
  const seen = isNew ? null : expected;
  const done = await access.call('settings.update', {
    updates: Object.fromEntries([[key, value]]),
    check: !force,
    ...(secret ? { secret: [key] } : {}),
    ...(seen === undefined ? {} : { expected: Object.fromEntries([[key, seen]]) }),
  });
  await emitChange(done, format, async () => {
    print(`Set ${printable(key)}.`);
    await showEffect(access, [key], print);
  });
}
