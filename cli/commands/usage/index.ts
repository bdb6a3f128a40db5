import { Command } from 'commander';
import type { SumDifference } from '../../../src/db/analytics/token-usage-sums.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { withServices } from '../../database.ts';
import { FailedError } from '../../errors.ts';
import { emit, emitChange, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';
import { usageBudgetCommand } from './budget.ts';
import { usagePricesCommand } from './prices.ts';
import { usageAlertsCommand, usageShowCommand } from './show.ts';

/** `backoffice usage`: tokens and what they cost. */
export function usageCommand(): Command {
  const command = new Command('usage').description(
    'see what AI tokens were used, what they cost and may cost',
  );
  for (const verb of [
    usageShowCommand(),
    usageAlertsCommand(),
    usagePricesCommand(),
    usageBudgetCommand(),
    ingest(),
    recompute(),
  ]) {
    command.addCommand(verb);
  }
  return command;
}

function ingest(): Command {
  const command = new Command('ingest')
    .description('record requests to language models, one JSON object per line')
    .argument('[file]', 'the file of JSON lines, or - for standard input', '-')
    .addHelpText(
      'after',
      `
A record that is known already, by its record_id, counts once. At a wrong line it stops: what is before it is recorded.

Example:
  echo '{"record_id":"r1","model":"small-1","input_tokens":1800,"output_tokens":240}' | backoffice usage ingest
  backoffice usage ingest requests.jsonl`,
    );
  return runs(withFormats(command), 'tokenUsage.record').action(async (file: string, format: Format) => {
    const { ingest: send } = await import('../../ingest.ts');
    const { mostRecords, tokenUsageRecordSchema } = await import(
      '../../../src/contract/operations/token-usage.ts'
    );
    await withAccess(command, async (access) => {
      const counts = await send(
        {
          ...{ file, schema: tokenUsageRecordSchema, mostPerRequest: mostRecords },
          send: async (given) => {
            const { success: _, ...counted } = await access.call('tokenUsage.record', {
              records: [...given],
            });
            return counted;
          },
        },
        { recorded: 0, duplicates: 0 },
      );
      await emitChange({ success: true, ...counts }, format, () => {
        const { recorded, duplicates } = counts;
        print(
          `Recorded ${counted(recorded, 'request')}; ${counted(duplicates, 'was', 'were')} known already.`,
        );
      });
    });
  });
}

function recompute(): Command {
  const command = new Command('recompute')
    .description(
      'sum every record anew for the analytics, and prove the sums; exit code 1 where one is wrong',
    )
    .option('--check', 'only prove the sums as they are');
  return withFormats(command).action(async ({ check, ...format }: Format & { check?: boolean }) => {
    const { checkTokenUsageSums } = await import('../../../src/db/analytics/token-usage-sums.ts');
    const { recomputeTokenUsage } = await import('../../../src/services/operations/token-usage.ts');
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
