import { Command } from 'commander';
import { withServices } from '../../access/database.ts';
import { FailedError } from '../../errors.ts';
import { emitTable } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';

/** `backoffice issues recount`. */
export function recountIssuesCommand(): Command {
  const command = new Command('recount')
    .description('recount all issues for the charts')
    .option('--check', 'only check the stored counts; exit code 1 if any is wrong');
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
      throw new FailedError(
        `${counted(differences.length, 'count is', 'counts are')} wrong. Run \`backoffice issues recount\` to fix this.`,
      );
    });
    print(check ? 'All counts are correct.' : 'Recounted all issues.');
  });
}
