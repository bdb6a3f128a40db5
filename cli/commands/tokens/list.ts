import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emit, emitTable, type Format, listIn, withFormats } from '../../output/emit.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { remark } from '../../terminal.ts';

type ApiToken = OutputOf<'tokens.list'>['tokens'][number];

interface ListOptions extends Format {
  readonly search?: string;
}

const columns: readonly Column<ApiToken>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  { heading: 'name', value: ({ name }) => name, cut: true },
  { heading: 'role', value: ({ role, read_only }) => (read_only ? `${role}, only reads` : role) },
  { heading: 'state', value: ({ state }) => state },
  { heading: 'owner', value: ({ owner }) => owner?.email ?? owner?.id ?? '', cut: true, dropAs: 3 },
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
  const command = new Command('list')
    .description('list tokens, without their secrets')
    .option('--search <words>', 'only if the name, the role or the owner contains these words');
  return runs(withFormats(command, 'json and csv'), 'tokens.list').action(
    async ({ search, ...format }: ListOptions) => {
      const document = await withAccess(command, (access) => access.call('tokens.list', { q: search }));
      await emit(document, format, listIn('tokens.list', 'tokens'), async () => {
        if (document.tokens.length === 0) remark('No tokens.');
        else await emitTable(columns, document.tokens);
      });
    },
  );
}
