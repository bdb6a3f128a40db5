import { Command, InvalidArgumentError, Option } from 'commander';
import { rolesHelp } from '../../../src/contract/roles.ts';
import { type Role, roles, type TokenScope, tokenScopes } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { oneWord } from '../../input/words.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print, remark } from '../../terminal.ts';

const never = 'never';

interface CreateOptions extends Format {
  readonly name: string;
  readonly role: Role;
  readonly expires: number | typeof never;
  readonly readOnly?: boolean;
  readonly scope: TokenScope;
}

/** `backoffice tokens create`. */
export function createTokenCommand(): Command {
  const command = new Command('create')
    .description('create a token and show its secret once')
    .requiredOption('--name <name>', 'the purpose of the token')
    .addOption(oneWord('--role <role>', `the role: ${rolesHelp}`, roles).default('user'))
    .addOption(
      new Option('--expires <days>', 'the number of days until it expires, or never')
        .argParser(parseExpiry)
        .default(90),
    )
    .option('--read-only', 'only for reading')
    .addOption(
      oneWord(
        '--scope <scope>',
        'what it may do: everything that its role may, or only send data in',
        tokenScopes,
      ).default('all'),
    )
    .addHelpText(
      'after',
      `
On the database, the token belongs to nobody. Through a server, it belongs to the owner of your token, and is revoked
with it.

Examples:
  backoffice tokens create --name nightly-report --role user --expires 365
  backoffice tokens create --name dashboard --role admin --read-only
  backoffice tokens create --name website --scope intake --expires never`,
    );
  return runs(withFormats(command), 'tokens.create').action(
    async ({ name, role, expires, readOnly = false, scope, ...format }: CreateOptions) => {
      const days = expires === never ? null : expires;
      const wanted = { name, role, expires_days: days, read_only: readOnly, scope };
      const { token, secret } = await withAccess(command, (access) => access.call('tokens.create', wanted));
      await emitChange({ ...token, secret }, format, () => {
        const { id, expires_at } = token;
        const until = expires_at === null ? 'never expires' : `expires on ${expires_at.slice(0, 10)}`;
        const what = `the role ${token.role}${token.read_only ? ', only for reading' : token.scope ? ', only for sending data in' : ''}`;
        remark(`Created token ${id} with ${what}. It ${until}. Its secret, shown only once:`);
        print(secret);
      });
    },
  );
}

/** Returns a number of days, or `never`. Commander treats null as a missing value, so it is not used. */
function parseExpiry(value: string): CreateOptions['expires'] {
  if (value === never) return never;
  const days = Number(value);
  if (!Number.isInteger(days) || days < 1 || days > 36_500) {
    throw new InvalidArgumentError('Must be a number of days from 1 to 36500, or never.');
  }
  return days;
}
