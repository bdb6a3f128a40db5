import { Command } from 'commander';
import type { ApiToken } from '../../../src/db/tables/accounts/api-tokens.ts';
import { withServices } from '../../access/database.ts';
import { emit, emitTable, type Format, withFormats } from '../../output/emit.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { remark } from '../../terminal.ts';

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
  { heading: 'created by', value: ({ created_by }) => created_by, cut: true, dropAs: 2 },
];

/** `backoffice tokens list`. */
export function listTokensCommand(): Command {
  const command = new Command('list').description('list tokens, without their secrets');
  return withFormats(command, 'json and csv').action(async (format: Format) => {
    const { selectApiTokens } = await import('../../../src/db/tables/accounts/api-tokens.ts');
    const tokens = await withServices(command, ({ databases }) => selectApiTokens(databases.primary));
    await emit({ tokens }, format, 'tokens', async () => {
      if (tokens.length === 0) remark('No tokens.');
      else await emitTable(columns, tokens);
    });
  });
}

function stateOf({ revoked_at, expires_at }: ApiToken): string {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at < new Date().toISOString() ? 'expired' : 'valid';
}
