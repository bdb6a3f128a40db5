import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emit, emitTable, type Format, listIn, withFormats } from '../../output/emit.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { remark } from '../../terminal.ts';

type Session = OutputOf<'sessions.list'>['sessions'][number];

const columns: readonly Column<Session>[] = [
  { heading: 'id', value: ({ id }) => id, cut: true },
  { heading: 'email', value: ({ email }) => email, cut: true },
  { heading: 'role', value: ({ role }) => role, dropAs: 2 },
  { heading: 'last seen', value: ({ last_seen_at }) => ago(last_seen_at) },
  { heading: 'signed in', value: ({ created_at }) => ago(created_at), dropAs: 1 },
];

/** `backoffice sessions list`. */
export function listSessionsCommand(): Command {
  const command = new Command('list')
    .description('list active sessions, most recently used first')
    .option('--search <words>', 'only if the ID or the admin contains these words');
  return runs(withFormats(command, 'json and csv'), 'sessions.list').action(
    async ({ search: q, ...format }: Format & { search?: string }) => {
      const document = await withAccess(command, (access) => access.call('sessions.list', { q }));
      await emit(document, format, listIn('sessions.list', 'sessions'), async () => {
        if (document.sessions.length === 0)
          remark(q === undefined ? 'No active sessions.' : 'No active sessions match.');
        else await emitTable(columns, document.sessions);
      });
    },
  );
}
