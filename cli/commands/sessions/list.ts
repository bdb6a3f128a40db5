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

type Session = OutputOf<'sessions.list'>['sessions'][number];

const columns: readonly Column<Session>[] = [
  { heading: 'id', value: ({ id }) => id, cut: true },
  { heading: 'email', value: ({ email }) => email, cut: true },
  { heading: 'role', value: ({ role }) => role, dropAs: 2 },
  timeColumn('last seen', 'last_seen_at'),
  timeColumn('signed in', 'created_at', { dropAs: 1 }),
];

const list = listIn('sessions.list', 'sessions');

/** `backoffice sessions list`. */
export function listSessionsCommand(): Command {
  const command = new Command('list')
    .description('list active sessions, most recently used first')
    .option('--search <words>', 'only if the ID or the admin contains these words');
  withTable(command, list, { page: 'sessions', takes: [['search', 'q']] });
  return runs(command, 'sessions.list').action(
    async ({ search: q, ...format }: Format & { search?: string }) => {
      const document = await withAccess(command, (access) => access.call('sessions.list', { q }));
      const none = q === undefined ? 'No active sessions.' : 'No active sessions match.';
      await emitList(document, format, list, columns, { none });
    },
  );
}
