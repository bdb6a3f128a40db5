import { Command } from 'commander';
import type { SumDifference } from '../../../src/db/analytics/token-usage-sums.ts';
import { withServices } from '../../access/database.ts';
import { FailedError } from '../../errors.ts';
import { emit, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';

/** `backoffice usage recompute`. */
export function recomputeUsageCommand(): Command {
  const command = new Command('recompute')
    .description(
      'sum every record anew for the analytics, and prove the sums; exit code 1 where one is wrong',
    )
    .option('--check', 'only prove the sums as they are');
  return withFormats(command).action(async ({ check, ...format }: Format & { check?: boolean }) => {
    const { checkTokenUsageSums } = await import('../../../src/db/analytics/token-usage-sums.ts');
    const { recomputeTokenUsage } = await import('../../../src/services/analytics/recompute-token-usage.ts');
    const differences = await withServices(command, async (services) => {
      if (!check) await recomputeTokenUsage(services);
      return await checkTokenUsageSums(services.databases.primary);
    });
    await emit({ differences }, format, 'differences', async () => {
      if (differences.length > 0) return await showDifferences(differences);
      print(check ? 'Every sum is right.' : 'Summed every record anew, and every sum is right.');
    });
    if (differences.length === 0) return;
    const wrong = counted(differences.length, 'sum is wrong', 'sums are wrong');
    throw new FailedError(
      check
        ? `${wrong}: run backoffice usage recompute.`
        : `${wrong}, though every record was summed anew: something changes records past their triggers.`,
    );
  });
}

async function showDifferences(differences: readonly SumDifference[]): Promise<void> {
  const headings = ['starts_at', 'provider', 'model', 'sum', 'kept', 'actual'] as const;
  await emitTable<SumDifference>(
    headings.map((heading) => ({ heading, value: (difference) => String(difference[heading]) })),
    differences,
  );
}
