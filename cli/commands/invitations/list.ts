import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emit, emitTable, type Format, listIn, withFormats } from '../../output/emit.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { remark } from '../../terminal.ts';

type Invitation = OutputOf<'invitations.list'>['invitations'][number];

const columns: readonly Column<Invitation>[] = [
  { heading: 'id', value: ({ id }) => String(id) },
  { heading: 'email', value: ({ email }) => email, cut: true },
  { heading: 'role', value: ({ role }) => role },
  { heading: 'invited by', value: ({ invited_by }) => invited_by, cut: true, dropAs: 1 },
  { heading: 'sent', value: ({ created_at }) => ago(created_at) },
  { heading: 'expires on', value: ({ expires_at }) => expires_at.slice(0, 10), dropAs: 2 },
];

/** `backoffice invitations list`. */
export function listInvitationsCommand(): Command {
  const command = new Command('list')
    .description('list open invitations, newest first')
    .addHelpText('after', '\nExample:\n  backoffice invitations list');
  return runs(withFormats(command, 'json and csv'), 'invitations.list').action(async (format: Format) => {
    const document = await withAccess(command, (access) => access.call('invitations.list'));
    await emit(document, format, listIn('invitations.list', 'invitations'), async () => {
      if (document.invitations.length === 0) remark('No open invitations.');
      else await emitTable(columns, document.invitations);
    });
  });
}
