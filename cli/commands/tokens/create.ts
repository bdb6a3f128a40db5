import { Command, InvalidArgumentError, Option } from 'commander';
import { type Role, roles } from '../../../src/contract/vocabulary.ts';
import { withServices } from '../../access/database.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print, remark } from '../../terminal.ts';

const never = 'never';

interface CreateOptions extends Format {
  readonly name: string;
  readonly role: Role;
  /** ISO 8601, or never. */
  readonly expires: string;
}

/** `backoffice tokens create`. */
export function createTokenCommand(): Command {
  const command = new Command('create')
    .description('create a token and show its secret, once')
    .requiredOption('--name <name>', 'what the token is for')
    .addOption(new Option('--role <role>', 'what it may do').choices(roles).default('user'))
    .addOption(
      new Option('--expires <days>', 'days until it expires, or never')
        .argParser(expiry)
        .default(expiry('90'), '90'),
    )
    .addHelpText(
      'after',
      '\nExample:\n  backoffice tokens create --name nightly-report --role user --expires 365',
    );
  return withFormats(command).action(async ({ name, role, expires, ...format }: CreateOptions) => {
    const expiresAt = expires === never ? null : expires;
    const { createApiToken } = await import('../../../src/services/sign-in/api-tokens.ts');
    const { operatorName } = await import('../../access/local.ts');
    const { token, secret } = await withServices(command, ({ databases }) =>
      createApiToken(databases.primary, { name, role, createdBy: operatorName(), expiresAt }),
    );
    await emitChange({ ...token, secret }, format, async () => {
      const until = expiresAt === null ? 'never expires' : `expires on ${expiresAt.slice(0, 10)}`;
      remark(`Token ${token.id} for the role ${role}, which ${until}. Its secret, shown only now:`);
      print(secret);
    });
  });
}

/** Days from now as a time, or never: not null, which commander takes for a value that is missing. */
function expiry(value: string): string {
  if (value === never) return never;
  const days = Number(value);
  if (!Number.isInteger(days) || days < 1 || days > 36_500) {
    throw new InvalidArgumentError('It takes a number of days from 1 to 36500, or never.');
  }
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
