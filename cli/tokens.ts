import { Command, InvalidArgumentError, Option } from 'commander';
import { type Role, roles } from '../src/contract/roles.ts';
import { type ApiToken, revokeApiToken, selectApiTokens } from '../src/db/api-tokens.ts';
import { createApiToken } from '../src/services/api-tokens.ts';
import { operatorName, withServices } from './connection.ts';
import { NotFoundError } from './errors.ts';
import { print, printTable, remark } from './terminal.ts';

interface CreateOptions {
  readonly name: string;
  readonly role: Role;
  readonly expires: string | null;
  readonly json?: boolean;
}

/** `backoffice tokens`: bearer tokens for scripts. */
export function tokensCommand(): Command {
  const command = new Command('tokens').description('manage the API tokens of scripts');
  command
    .command('create')
    .description('create a token and show its secret, once')
    .requiredOption('--name <name>', 'what the token is for')
    .addOption(new Option('--role <role>', 'what it may do').choices(roles).default('user'))
    .option('--expires <days>', 'days until it expires, or never', expiry, expiry('90'))
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice tokens create --name nightly-report --role user --expires 365',
    )
    .action(async ({ name, role, expires, json }: CreateOptions) => {
      const { token, secret } = await withServices(({ databases }) =>
        createApiToken(databases.primary, { name, role, createdBy: operatorName(), expiresAt: expires }),
      );
      if (json) return print(JSON.stringify({ ...token, secret }));
      remark(
        `Token ${token.id}, ${role}, ${expires === null ? 'never expires' : `expires ${expires}`}. Its secret:`,
      );
      print(secret);
    });
  command
    .command('list')
    .description('list the tokens, without their secrets')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const tokens = await withServices(({ databases }) => selectApiTokens(databases.primary));
      if (json) return print(JSON.stringify(tokens));
      printTable(['id', 'name', 'role', 'state', 'expires', 'last used', 'made by'], tokens.map(tokenRow));
    });
  command
    .command('revoke')
    .description('revoke a token at once')
    .argument('<id>', 'the number of the token')
    .action(async (id: string) => {
      const revoked = await withServices(({ databases }) =>
        revokeApiToken(databases.primary, Number(id) || 0),
      );
      if (!revoked) throw new NotFoundError(`There is no token ${id}: see backoffice tokens list.`);
      print(`Revoked token ${id}.`);
    });
  return command;
}

function tokenRow(token: ApiToken): string[] {
  const expired = token.expires_at !== null && token.expires_at < new Date().toISOString();
  const state = token.revoked_at !== null ? 'revoked' : expired ? 'expired' : 'valid';
  return [
    String(token.id),
    token.name,
    token.role,
    state,
    token.expires_at ?? 'never',
    token.last_used_at ?? 'never',
    token.created_by,
  ];
}

/** Days from now as a time, `never` as null. */
function expiry(value: string): string | null {
  if (value === 'never') return null;
  const days = Number(value);
  if (!Number.isInteger(days) || days < 1 || days > 36_500) {
    throw new InvalidArgumentError('It takes a number of days from 1 to 36500, or never.');
  }
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
