import { Command } from 'commander';
import { creationSorts } from '../../../src/contract/fields/sorts.ts';
import { doors } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import type { Rows } from '../../access/pages.ts';
import { withAccess } from '../../access/with-access.ts';
import { someWords } from '../../input/words.ts';
import { actorLabel, describeChange, originLabel } from '../../output/change.ts';
import { type ListOptions, pagedList, showList, withListOptions } from '../../output/list.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';

type AuditRecord = Rows['audit.list'];

const columns: readonly Column<AuditRecord>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right', dropAs: 3 },
  timeColumn('when', 'created_at'),
  { heading: 'who', value: actorLabel, cut: true },
  { heading: 'from', value: originLabel, dropAs: 2 },
  { heading: 'event', value: ({ event }) => event },
  { heading: 'on', value: ({ subject_id }) => subject_id ?? '', cut: true, dropAs: 1 },
  { heading: 'change', value: ({ before, after }) => describeChange(before, after), cut: true, dropAs: 4 },
];

const list = pagedList('audit.list', 'audit');

interface AuditOptions extends ListOptions {
  readonly actor?: string;
  readonly door?: string;
  readonly operation?: string;
  readonly event?: string;
  readonly subject?: string;
}

/** `backoffice audit list`. */
export function listAuditRecordsCommand(): Command {
  const command = new Command('list')
    .description('list audit records, newest first')
    .option('--actor <name>', 'only by this admin (e-mail), token (token:<name>) or local operator')
    .addOption(someWords('--door <door>', 'only made through this interface, or several: a,b', doors))
    .option('--operation <operation>', 'only by this operation, such as admins.delete')
    .option('--event <event>', 'only with this event type, such as admin.deleted')
    .option('--subject <id>', 'only about the subject with this ID')
    .addHelpText(
      'after',
      `
Examples:
  backoffice audit list --actor grace@example.com --since 7d
  backoffice audit list --event admin.deleted --json created_at,actor_name,before`,
    );
  withListOptions(command, {
    sorts: creationSorts,
    search: 'only if the actor, the subject or the changed fields contain these words',
  });
  withTable(command, list, {
    page: 'audit',
    takes: [...['actor', 'door', 'operation', 'event', 'subject'], ['search', 'q']],
  });
  return runs(command, 'audit.list').action(async ({ subject, ...options }: AuditOptions) => {
    const wanted = { ...options, ...(subject === undefined ? {} : { subject_id: subject }) };
    await withAccess(command, (access) => showList(access, list, wanted, columns));
  });
}
