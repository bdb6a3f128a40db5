import { Command, Option } from 'commander';
import { doors } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { withServices } from '../../database.ts';
import { describeChange, fromWhere, whoDidIt } from '../../output/change.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { type ListOptions, type Rows, showList, withListOptions } from '../../output/list.ts';
import { counted } from '../../output/number.ts';
import { createProgress } from '../../output/progress.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { confirm } from '../../prompts.ts';
import { stopSignal } from '../../stop-signal.ts';
import { print, remark } from '../../terminal.ts';
import { auditTail } from './tail.ts';

type AuditRecord = Rows['audit.list'];

const columns: readonly Column<AuditRecord>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right', dropAs: 3 },
  { heading: 'when', value: ({ created_at }) => ago(created_at) },
  { heading: 'who', value: whoDidIt, cut: true },
  { heading: 'from', value: fromWhere, dropAs: 2 },
  { heading: 'event', value: ({ event }) => event },
  { heading: 'on', value: ({ subject_id }) => subject_id ?? '', cut: true, dropAs: 1 },
  { heading: 'change', value: ({ before, after }) => describeChange(before, after), cut: true, dropAs: 4 },
];

/** `backoffice audit`: who did what, when and from where. */
export function auditCommand(): Command {
  const command = new Command('audit').description('see who changed what, when and from where');
  for (const verb of [list(), auditTail(), purge()]) command.addCommand(verb);
  return command;
}

interface AuditOptions extends ListOptions {
  readonly actor?: string;
  readonly door?: string;
  readonly operation?: string;
  readonly event?: string;
  readonly subject?: string;
}

function list(): Command {
  const command = new Command('list')
    .description('list the audit records, the newest first')
    .option('--actor <name>', 'only of this admin (e-mail), token (token:<name>) or local operator')
    .addOption(new Option('--door <door>', 'only what came through this door').choices(doors))
    .option('--operation <operation>', 'only of this operation, such as admins.delete')
    .option('--event <event>', 'only events of this type, such as admin.deleted')
    .option('--subject <id>', 'only what happened to the thing of this id')
    .addHelpText(
      'after',
      `
Examples:
  backoffice audit list --actor grace@example.com --since 7d
  backoffice audit list --event admin.deleted --json created_at,actor_name,before`,
    );
  return runs(
    withListOptions(command, { search: 'only those whose actor or changed fields contain this text' }),
    'audit.list',
  ).action(async ({ subject, ...options }: AuditOptions) => {
    const wanted = { ...options, ...(subject === undefined ? {} : { subject_id: subject }) };
    await withAccess(command, (access) => showList(access, 'audit.list', wanted, columns));
  });
}

interface PurgeOptions extends Format {
  readonly dryRun?: true;
  readonly yes?: boolean;
}

function purge(): Command {
  const command = new Command('purge')
    .description('remove the audit records that are older than the setting audit_retention_days')
    .option('--dry-run', 'only say how many there are')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
Without the setting every record is kept; it takes no less than 30 days. The service purges by itself once an hour.
Ctrl-C stops after the batch under way.

Example:
  backoffice settings set audit_retention_days 365
  backoffice audit purge --dry-run`,
    );
  return withFormats(command).action(async ({ dryRun, yes, ...format }: PurgeOptions) => {
    const { countExpiredAuditRecords, selectAuditRetention } = await import(
      '../../../src/db/tables/audit.ts'
    );
    const { purgeAudit } = await import('../../../src/services/operations/audit.ts');
    const { operatorName } = await import('../../access/local.ts');
    const { localOperator } = await import('../../../src/services/call/actor.ts');
    await withServices(command, async (services) => {
      const db = services.databases.primary;
      const [before, total] = [await selectAuditRetention(db), await countExpiredAuditRecords(db)];
      const found = `${counted(total, 'audit record')} from before ${before}`;
      if (before === null) remark('The setting audit_retention_days is not set: every record is kept.');
      else if (dryRun) remark(`Found ${found}.`);
      else if (total > 0) await confirm(`Remove ${found}? They cannot be brought back.`, yes);

      const progress = createProgress();
      const options = {
        stop: stopSignal(),
        onProgress: (done: number) => progress.show({ what: 'audit records', done, total }),
      };
      const removed =
        dryRun || total === 0
          ? 0
          : await purgeAudit(services, localOperator(operatorName()), options).finally(progress.end);
      const result = { expired: total, removed, before };
      await emitChange(result, format, () => {
        if (!dryRun) print(`Removed ${counted(removed, 'audit record')}.`);
      });
    });
  });
}
