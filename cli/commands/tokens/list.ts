import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitList } from '../../output/emit.ts';
import type { Format } from '../../output/formats.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import { listIn } from '../../output/rows/list-of.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';

type ApiToken = OutputOf<'tokens.list'>['tokens'][number];

interface ListOptions extends Format {
  readonly search?: string;
}

const columns: readonly Column<ApiToken>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  { heading: 'name', value: ({ name }) => name, cut: true },
  {
    heading: 'role',
    value: ({ role, read_only, scope }) =>
      scope ? 'only sends in' : read_only ? `${role}, only reads` : role,
  },
  { heading: 'state', value: ({ state }) => state },
  { heading: 'owner', value: ({ owner }) => owner?.email ?? owner?.id ?? '', cut: true, dropAs: 3 },
  timeColumn('expires', 'expires_at', { none: 'never' }),
  timeColumn('last used', 'last_used_at', { none: 'never', dropAs: 1 }),
  { heading: 'created by', value: ({ created_by }) => created_by, cut: true, dropAs: 2 },
];

const list = listIn('tokens.list', 'tokens');

/** `backoffice tokens list`. */
export function listTokensCommand(): Command {
  const command = new Command('list')
    .description('list tokens, without their secrets')
    .option('--search <words>', 'only if the name, the role or the owner contains these words');
  withTable(command, list, { page: 'tokens', takes: [['search', 'q']] });
  return runs(command, 'tokens.list').action(async ({ search, ...format }: ListOptions) => {
    const document = await withAccess(command, (access) => access.call('tokens.list', { q: search }));
    const none = search === undefined ? 'No tokens.' : 'No tokens match.';
    await emitList(document, format, list, columns, { none });
  });
}
