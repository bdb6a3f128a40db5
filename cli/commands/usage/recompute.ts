import { Command } from 'commander';
import type { SumDifference } from '../../../src/db/analytics/token-usage-sums.ts';
import { withServices } from '../../access/database.ts';
import { FailedError } from '../../errors.ts';
import { emit, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';

const headings = ['width', 'starts_at', 'provider', 'model', 'sum', 'kept', 'actual'] as const;

/** `backoffice usage recompute`. */
export function recomputeUsageCommand(): Command {
  const command = new Command('recompute')
    .description('recompute the sums of the analytics, then check them; exit code 1 if any is wrong')
    .option('--check', 'only check the sums');
  return withFormats(command).action(async ({ check, ...format }: Format & { check?: boolean }) => {
    const { checkTokenUsageSums } = await import('../../../src/db/analytics/token-usage-sums.ts');
    const { recomputeTokenUsage } = await import('../../../src/services/analytics/sections.ts');
    const differences = await withServices(command, async (services) => {
      if (!check) await recomputeTokenUsage(services);
      return await checkTokenUsageSums(services.databases.primary);
    });
    await emit(
      { differences },
      format,
      { name: 'differences', id: 'starts_at', fields: () => headings },
      async () => {
        if (differences.length > 0) return await showDifferences(differences);
        print(check ? 'All sums are correct.' : 'Recomputed all sums. All are correct.');
      },
    );
    if (differences.length === 0) return;
    const wrong = counted(differences.length, 'sum is wrong', 'sums are wrong');
    throw new FailedError(
      check
        ? `${wrong}. Run \`backoffice usage recompute\` to fix this.`
        : `${wrong} after the recomputation. Something changes records without running their triggers.`,
    );
  });
}

async function showDifferences(differences: readonly SumDifference[]): Promise<void> {
  await emitTable<SumDifference>(
    headings.map((heading) => ({ heading, value: (difference) => String(difference[heading]) })),
    differences,
  );
}
