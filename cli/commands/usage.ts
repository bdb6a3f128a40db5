import { Command } from 'commander';
import { withAccess } from '../access/access.ts';
import { runs } from '../access/operations.ts';
import { withServices } from '../database.ts';
import { FailedError } from '../errors.ts';
import { emitChange, emitTable, type Format, withFormats } from '../output/emit.ts';
import { print } from '../terminal.ts';
import { usageBudgetCommand } from './usage-budget.ts';
import { usagePricesCommand } from './usage-prices.ts';
import { usageAlertsCommand, usageShowCommand } from './usage-show.ts';

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
    const { ingest: send } = await import('../ingest.ts');
    const { mostRecords, tokenUsageRecordSchema } = await import('../../src/contract/token-usage.ts');
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
        print(`Recorded ${number(recorded)} requests; ${number(duplicates)} were known already.`);
      });
    });
  });
}

const number = (value: number) => value.toLocaleString('en');

function recompute(): Command {
  const command = new Command('recompute')
    .description('sum every record anew for the analytics')
    .option('--check', 'only prove that the kept sums equal the true ones; exit code 1 where they do not');
  return command.action(async ({ check }: { check?: boolean }) => {
    const { checkTokenUsageSums } = await import('../../src/db/token-usage-sums.ts');
    const { recomputeTokenUsage } = await import('../../src/services/token-usage.ts');
    await withServices(command, async (services) => {
      if (!check) return await recomputeTokenUsage(services);
      const differences = await checkTokenUsageSums(services.databases.primary);
      if (differences.length === 0) return;
      await emitTable(
        Object.keys(differences[0] ?? {}).map((heading) => ({
          heading,
          value: (difference: object) => String((difference as Record<string, unknown>)[heading]),
        })),
        differences,
      );
      throw new FailedError(`${differences.length} sums are wrong: run backoffice usage recompute.`);
    });
    print(check ? 'Every sum is right.' : 'Summed every record anew.');
  });
}
