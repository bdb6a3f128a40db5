import { Command, InvalidArgumentError, Option } from 'commander';
import { type Role, roles } from '../../../src/contract/vocabulary.ts';
import type { ApiToken } from '../../../src/db/tables/api-tokens.ts';
import { wholeNumber } from '../../arguments.ts';
import { withServices } from '../../database.ts';
import { NotFoundError } from '../../errors.ts';
import { emit, emitChange, emitTable, type Format, withFormats } from '../../output/emit.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { confirm } from '../../prompts.ts';
import { print, remark } from '../../terminal.ts';

const never = 'never';

const columns: readonly Column<ApiToken>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  { heading: 'name', value: ({ name }) => name, cut: true },
  { heading: 'role', value: ({ role }) => role },
  { heading: 'state', value: stateOf },
  { heading: 'expires', value: ({ expires_at }) => (expires_at === null ? 'never' : ago(expires_at)) },
  {
    heading: 'last used',
    value: ({ last_used_at }) => (last_used_at === null ? 'never' : ago(last_used_at)),
    dropAs: 1,
  },
  { heading: 'made by', value: ({ created_by }) => created_by, cut: true, dropAs: 2 },
];

/** `backoffice tokens`: bearer tokens for scripts. They are made on the database itself, never through a server. */
export function tokensCommand(): Command {
  const command = new Command('tokens').description('manage the API tokens of scripts');
  for (const verb of [list(), create(), revoke()]) command.addCommand(verb);
  return command;
}

function list(): Command {
  const command = new Command('list').description('list the tokens, without their secrets');
  return withFormats(command, 'json and csv').action(async (format: Format) => {
    const { selectApiTokens } = await import('../../../src/db/tables/api-tokens.ts');
    const tokens = await withServices(command, ({ databases }) => selectApiTokens(databases.primary));
    await emit({ tokens }, format, 'tokens', async () => {
      if (tokens.length === 0) remark('There are no tokens.');
      else await emitTable(columns, tokens);
    });
  });
}

interface CreateOptions extends Format {
  readonly name: string;
  readonly role: Role;
  /** ISO 8601, or never. */
  readonly expires: string;
}

function create(): Command {
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

function revoke(): Command {
  const command = new Command('revoke')
    .description('revoke a token at once')
    .argument('<id>', 'the number of the token', wholeNumber(1))
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice tokens revoke 7');
  return withFormats(command).action(async (id: number, { yes, ...format }: Format & { yes?: boolean }) => {
    const { revokeApiToken } = await import('../../../src/services/sign-in/api-tokens.ts');
    const { operatorName } = await import('../../access/local.ts');
    await confirm(`Revoke token ${id}? What uses it stops working.`, yes);
    const revoked = await withServices(command, ({ databases }) =>
      revokeApiToken(databases.primary, id, operatorName()),
    );
    if (!revoked) throw new NotFoundError(`There is no token ${id}: see backoffice tokens list.`);
    await emitChange({ success: true }, format, () => print(`Revoked token ${id}.`));
  });
}

function stateOf({ revoked_at, expires_at }: ApiToken): string {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at < new Date().toISOString() ? 'expired' : 'valid';
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
