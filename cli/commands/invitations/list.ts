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

type Invitation = OutputOf<'invitations.list'>['invitations'][number];

const columns: readonly Column<Invitation>[] = [
  { heading: 'id', value: ({ id }) => String(id) },
  { heading: 'email', value: ({ email }) => email, cut: true },
  { heading: 'role', value: ({ role }) => role },
  { heading: 'invited by', value: ({ invited_by }) => invited_by, cut: true, dropAs: 1 },
  timeColumn('sent', 'created_at'),
  timeColumn('expires', 'expires_at', { dropAs: 2 }),
];

const list = listIn('invitations.list', 'invitations');

/** `backoffice invitations list`. */
export function listInvitationsCommand(): Command {
  const command = new Command('list')
    .description('list open invitations, newest first')
    .addHelpText('after', '\nExample:\n  backoffice invitations list');
  withTable(command, list, { page: 'admins' });
  return runs(command, 'invitations.list').action(async (format: Format) => {
    const document = await withAccess(command, (access) => access.call('invitations.list'));
    await emitList(document, format, list, columns, { none: 'No open invitations.' });
  });
}
