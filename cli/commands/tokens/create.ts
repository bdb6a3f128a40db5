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
    .description('create a token and show its secret once')
    .requiredOption('--name <name>', 'the purpose of the token')
    .addOption(
      new Option('--role <role>', 'the role, which decides the permissions').choices(roles).default('user'),
    )
    .addOption(
      new Option('--expires <days>', 'the number of days until it expires, or never')
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
      remark(`Created token ${token.id} with the role ${role}. It ${until}. Its secret, shown only once:`);
      print(secret);
    });
  });
}

/** Returns the time that many days from now, or `never`. Commander treats null as a missing value, so it is not used. */
function expiry(value: string): string {
  if (value === never) return never;
  const days = Number(value);
  if (!Number.isInteger(days) || days < 1 || days > 36_500) {
    throw new InvalidArgumentError('Must be a number of days from 1 to 36500, or never.');
  }
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
