import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { monthOption, namedMonth, readAnalytics } from '../../input/month.ts';
import { renderBars, renderGauge } from '../../output/chart.ts';
import { paint, paintSeverity } from '../../output/colours.ts';
import { emitTable, emitWithTable, type Format, withFormats, withTableAsCsv } from '../../output/emit.ts';
import { grouped, percent } from '../../output/number.ts';
import { printable } from '../../output/text.ts';
import { unreadableUsageSettings } from '../../shown/describe-setting.ts';
import { withWebPage } from '../../shown/present.ts';
import { chartWidth, print } from '../../terminal.ts';

type Shown = OutputOf<'settings.show'>;

type Usage = NonNullable<Shown['tokenUsage']>;

type ModelUsage = Usage['byModel'][number];

/** The parts of the settings' answer that are the usage. */
const fields = ['tokenUsage', 'tokenAlerts', 'tokenDailyBreakdown'];

const gaugeWidth = 24;

interface ShowOptions extends Format {
  readonly month?: string;
}

/** `backoffice usage show`: this month's usage. */
export function showUsageCommand(): Command {
  const command = new Command('show')
    .description("show this month's usage by model and day, its cost and budget, and firing alerts")
    .addOption(monthOption());
  withWebPage(
    withTableAsCsv(
      withFormats(command, () => fields),
      'a row for each model of the month',
    ),
    {
      page: 'usage',
      takes: ['month'],
    },
  );
  return runs(command, 'settings.show').action(async ({ month, ...format }: ShowOptions) => {
    const shown = await withAccess(command, (access) => readAnalytics(access, 'token-usage', month));
    const { tokenUsage, tokenAlerts, tokenDailyBreakdown } = shown;
    const document = { tokenUsage, tokenAlerts, tokenDailyBreakdown };
    await emitWithTable(document, format, modelTable(tokenUsage), () => drawUsage(shown));
  });
}

/** Returns the models as a table. The months of several files can be told apart, and what a cost is in. */
function modelTable(usage: Usage | undefined) {
  const { month, currency, byModel } = usage ?? { byModel: [] };
  return {
    rows: byModel.map((model) => ({ month, ...model, currency })),
    id: 'model',
    async fields() {
      const { tokenUsageSchema } = await import('../../../src/contract/schemas/analytics.ts');
      return ['month', ...Object.keys(tokenUsageSchema.shape.byModel.element.shape), 'currency'];
    },
  };
}

async function drawUsage({
  tokenUsage: usage,
  tokenAlerts = [],
  tokenDailyBreakdown = [],
  settings,
}: Shown): Promise<void> {
  if (usage === undefined) return;
  const title = paint('bold');
  print(title(`${usage.month} (${usage.timezone})`));
  print(`  requests  ${grouped(usage.requests)}, of which ${grouped(usage.failedRequests)} failed`);
  print(
    `  tokens    ${grouped(usage.inputTokens)} in (${grouped(usage.cachedInputTokens)} cached), ${grouped(usage.outputTokens)} out`,
  );
  drawCost(usage);
  for (const { name, problem } of unreadableUsageSettings(settings))
    print(`  ${name.padEnd(10)}${paint('yellow')(`unreadable: ${printable(problem)}`)}`);
  if (usage.byModel.length > 0) {
    print('');
    await emitTable<ModelUsage>(
      [
        { heading: 'model', value: ({ model }) => model, cut: true },
        { heading: 'provider', value: ({ provider }) => provider, cut: true, dropAs: 1 },
        { heading: 'requests', value: ({ requests }) => grouped(requests), align: 'right' },
        { heading: 'tokens', value: ({ totalTokens }) => grouped(totalTokens), align: 'right' },
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
  const firing = tokenAlerts.filter(({ status }) => status === 'firing');
  if (firing.length > 0) print(`\n${title('Alerts')}`);
  for (const { severity, message } of firing) {
    print(`  ${paintSeverity(printable(severity), severity)}: ${printable(message)}`);
  }
}

function drawCost({ cost, currency, unpricedTokens, budget }: Usage): void {
  const money = (amount: string) => `${amount} ${printable(currency)}`;
  print(`  cost      ${money(cost)}`);
  if (unpricedTokens > 0) {
    print(
      `            without ${grouped(unpricedTokens)} tokens of models that have no price (backoffice usage prices set)`,
    );
  }
  if (budget === null) return;
  const { limit, usedRatio, projectedCost } = budget;
  const severity = usedRatio >= 1 ? 'critical' : usedRatio >= 0.8 ? 'warning' : '';
  const gauge = paintSeverity(renderGauge(usedRatio, gaugeWidth), severity);
  const expected = projectedCost === null ? '' : `, ${money(projectedCost)} expected by the end of the month`;
  print(`  budget    ${gauge} ${percent(usedRatio)} of ${money(limit)}${expected}`);
}
