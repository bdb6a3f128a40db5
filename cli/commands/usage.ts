import { Command } from 'commander';
import type { OutputOf } from '../../src/contract/index.ts';
import { withAccess } from '../access/access.ts';
import { runs } from '../access/operations.ts';
import { renderBars } from '../output/chart.ts';
import { paint } from '../output/colours.ts';
import { emit, emitTable, type Format, withFormats } from '../output/emit.ts';
import { printable } from '../output/text.ts';
import { chartWidth, print } from '../terminal.ts';

type Shown = OutputOf<'settings.show'>;
type ModelUsage = NonNullable<Shown['tokenUsage']>['byModel'][number];

/** `backoffice usage`: tokens and what they cost. */
export function usageCommand(): Command {
  const command = new Command('usage').description('see what AI tokens were used, and what they cost');
  command.addCommand(show());
  return command;
}

function show(): Command {
  const command = new Command('show').description(
    "show this month's usage, by model and day, and its alerts",
  );
  return runs(withFormats(command), 'settings.show').action(async (format: Format) => {
    const shown = await withAccess(command, (access) =>
      access.call('settings.show', { section: 'token-usage' }),
    );
    const { tokenUsage, tokenAlerts, tokenDailyBreakdown } = shown;
    await emit({ tokenUsage, tokenAlerts, tokenDailyBreakdown }, format, undefined, () => draw(shown));
  });
}

const number = (value: number) => value.toLocaleString('en');

async function draw({ tokenUsage: usage, tokenAlerts = [], tokenDailyBreakdown = [] }: Shown): Promise<void> {
  if (usage === undefined) return;
  const title = paint('bold');
  print(title(`${usage.month} (${usage.timezone})`));
  print(`  requests  ${number(usage.requests)}, of which ${number(usage.failedRequests)} failed`);
  print(`  tokens    ${number(usage.inputTokens)} in, ${number(usage.outputTokens)} out`);
  print(
    `  cost      ${usage.cost} ${usage.currency}, without ${number(usage.unpricedTokens)} tokens that have no price`,
  );
  if (usage.budget !== null) {
    const { limit, usedRatio, projectedCost } = usage.budget;
    print(
      `  budget    ${Math.round(usedRatio * 100)} % of ${limit} ${usage.currency}, ${projectedCost} by the month's end`,
    );
  }
  if (usage.byModel.length > 0) {
    print('');
    await emitTable<ModelUsage>(
      [
        { heading: 'model', value: ({ model }) => model, cut: true },
        { heading: 'provider', value: ({ provider }) => provider, dropAs: 1 },
        { heading: 'requests', value: ({ requests }) => number(requests), align: 'right' },
        { heading: 'tokens', value: ({ totalTokens }) => number(totalTokens), align: 'right' },
        { heading: 'cost', value: ({ cost }) => cost ?? 'no price', align: 'right' },
      ],
      usage.byModel,
    );
  }
  print(`\n${title('Tokens by day')}`);
  print(
    renderBars(
      tokenDailyBreakdown.map(({ date, totalTokens }) => ({ label: date, count: totalTokens })),
      chartWidth(),
    ),
  );
  for (const { severity, status, message, current, limit } of tokenAlerts) {
    print(`\n${title(`${severity}, ${status}`)}: ${printable(message)} (${current} of ${limit})`);
  }
}
