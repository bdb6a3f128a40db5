import { Command } from 'commander';
import { withServices } from '../../access/database.ts';
import { StoppedError } from '../../errors.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { createProgress } from '../../output/progress.ts';
import { stopSignal } from '../../stop-signal.ts';
import { print, remark } from '../../terminal.ts';

interface PurgeOptions extends Format {
  readonly dryRun?: true;
  readonly yes?: boolean;
}

/** `backoffice audit purge`. */
export function purgeAuditRecordsCommand(): Command {
  const command = new Command('purge')
    .description('delete audit records older than the setting audit_retention_days')
    .option('--dry-run', 'only count them')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
Without the setting all records are kept. Its minimum is 30 days. The service purges automatically once an hour.
Ctrl-C stops after the current batch.

Example:
  backoffice settings set audit_retention_days 365
  backoffice audit purge --dry-run`,
    );
  return withFormats(command).action(async ({ dryRun, yes, ...format }: PurgeOptions) => {
    const { countExpiredAuditRecords, selectAuditRetention } = await import(
      '../../../src/db/tables/audit.ts'
    );
    const { purgeAudit } = await import('../../../src/services/background/retention.ts');
    const { operatorName } = await import('../../access/local.ts');
    const { localOperator } = await import('../../../src/services/call/actor.ts');
    await withServices(command, async (services) => {
      const db = services.databases.primary;
      const [before, total] = [await selectAuditRetention(db), await countExpiredAuditRecords(db)];
      const found = `${counted(total, 'audit record')} from before ${before}`;
      if (before === null) remark('The setting audit_retention_days is not set. All records are kept.');
      else if (dryRun) remark(`Found ${found}.`);
      else if (total > 0) await confirm(`Delete ${found}? This cannot be undone.`, yes);

      const progress = createProgress();
      const stop = stopSignal();
      const options = {
        stop,
        onProgress: (done: number) => progress.show({ what: 'audit records', done, total }),
      };
      const removed =
        dryRun || total === 0
          ? 0
          : await purgeAudit(services, localOperator(operatorName()), options).finally(progress.end);
      if (stop.aborted)
        throw new StoppedError(`Stopped after deleting ${counted(removed, 'audit record')}.`, stop);
      const result = { expired: total, removed, before };
      await emitChange(result, format, () => {
        if (!dryRun) print(`Deleted ${counted(removed, 'audit record')}.`);
      });
    });
  });
}
