import { Command } from 'commander';
import { withServices } from '../../access/database.ts';
import { FailedError } from '../../errors.ts';
import { emitTable } from '../../output/emit.ts';
import { print } from '../../terminal.ts';

/** `backoffice issues recount`. */
export function recountIssuesCommand(): Command {
  const command = new Command('recount')
    .description('count every issue anew for the charts')
    .option('--check', 'only prove that the kept counts equal the true ones; exit code 1 where they do not');
  return command.action(async ({ check }: { check?: boolean }) => {
    const { checkIssueCounters, rebuildIssueCounters } = await import(
      '../../../src/db/analytics/issue-counters.ts'
    );
    await withServices(command, async ({ databases: { primary } }) => {
      if (!check) return await rebuildIssueCounters(primary);
      const differences = await checkIssueCounters(primary);
      if (differences.length === 0) return;
      await emitTable(
        Object.keys(differences[0] ?? {}).map((heading) => ({
          heading,
          value: (difference: object) => String((difference as Record<string, unknown>)[heading]),
        })),
        differences,
      );
      throw new FailedError(`${differences.length} counts are wrong: run backoffice issues recount.`);
    });
    print(check ? 'Every count is right.' : 'Counted every issue anew.');
  });
}
