import type { OutputOf } from '../../src/contract/registry.ts';
import { month, namedMonth, readAnalytics } from '../input/month.ts';
import { recomputeOf } from '../operate/recompute.ts';
import { emitList, emitTable, emitWithTable } from '../output/emit.ts';
import { listIn } from '../output/rows/list-of.ts';
import { renderBars, renderGauge } from '../terminal/chart.ts';
import { paint, paintSeverity } from '../terminal/colours.ts';
import type { Column } from '../terminal/columns/column.ts';
import { timeColumn } from '../terminal/columns/of-noun.ts';
import { counted, grouped, percent } from '../terminal/number.ts';
import { chartWidth, print } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { severityTone, statusTone } from '../terminal/tones.ts';
import { type Noun, verb } from '../verb/verb.ts';
import { ingesting } from './ingesting.ts';
import { budget, prices } from './usage-money.ts';

type Shown = OutputOf<'settings.show'>;
type Usage = NonNullable<Shown['tokenUsage']>;

const modelColumns: readonly Column<Usage['byModel'][number]>[] = [
  { heading: 'model', value: ({ model }) => model, cut: true },
  { heading: 'provider', value: ({ provider }) => provider, cut: true, dropAs: 1 },
  { heading: 'requests', value: ({ requests }) => grouped(requests), align: 'right' },
  { heading: 'tokens', value: ({ totalTokens }) => grouped(totalTokens), align: 'right' },
  { heading: 'cost', value: ({ cost }) => cost ?? 'no price', align: 'right' },
];

type Alert = NonNullable<Shown['tokenAlerts']>[number];

const alerts = listIn('settings.show', 'tokenAlerts');
const alertColumns: readonly Column<Alert>[] = [
  {
    heading: 'status',
    value: ({ status }) => status,
    tone: ({ status }) => statusTone(status),
  },
  {
    heading: 'severity',
    value: ({ severity }) => severity,
    tone: ({ severity }) => severityTone(severity),
  },
  { heading: 'message', value: ({ message }) => message, cut: true },
  { heading: 'cost', field: 'current', value: ({ current }) => current, align: 'right', dropAs: 1 },
  timeColumn('raised', 'triggeredAt', { dropAs: 2 }),
];

/** AI tokens and their cost. */
export const usage: Noun = {
  example: 'backoffice usage show',
  verbs: {
    show: verb({
      about: "show this month's usage by model and day, its cost and budget, and firing alerts",
      params: { month },
      operations: ['settings.show'],
      output: { csv: 'print CSV with a row for each model of the month' },
      fields: () => ['tokenUsage', 'tokenAlerts', 'tokenDailyBreakdown'],
      web: {
        page: 'usage',
        takes: ['month'],
        resolve: (_option, value, access) => namedMonth(access, 'token-usage', value),
      },
      examples: ['backoffice usage show --month last --csv > models.csv'],
      async run({ given, format, open }) {
        const shown = await open((access) => readAnalytics(access, 'token-usage', given.month));
        const { tokenUsage, tokenAlerts, tokenDailyBreakdown } = shown;
        const { month, currency, byModel } = tokenUsage ?? { byModel: [] };
        // In several files, the months can be told apart, and the currencies.
        const models = {
          rows: byModel.map((model) => ({ month, ...model, currency })),
          id: 'model',
          async fields() {
            const { tokenUsageSchema } = await import('../../src/contract/schemas/analytics.ts');
            return ['month', ...Object.keys(tokenUsageSchema.shape.byModel.element.shape), 'currency'];
          },
        };
        const document = { tokenUsage, tokenAlerts, tokenDailyBreakdown };
        await emitWithTable(document, format, models, () => printUsage(shown));
      },
    }),

    alerts: verb({
      about: 'list budget alerts, firing ones first, then newest first',
      params: {},
      operations: ['settings.show'],
      output: 'table',
      fields: alerts.fields,
      web: { page: 'usage' },
      examples: ['backoffice usage alerts --json message,status'],
      async run({ format, open }) {
        const { tokenAlerts = [] } = await open((access) =>
          access.call('settings.show', { section: 'token-usage' }),
        );
        await emitList({ tokenAlerts }, format, alerts, alertColumns, { none: 'No alerts.' });
      },
    }),

    prices,
    budget,

    ingest: ingesting({
      about: 'record requests to language models, one JSON object per line',
      operation: 'tokenUsage.record',
      async load() {
        const { maxRecords, tokenUsageRecordSchema } = await import(
          '../../src/contract/operations/token-usage.ts'
        );
        return { schema: tokenUsageRecordSchema, maxItemsPerRequest: maxRecords };
      },
      name: 'records',
      send: (access, records) => access.call('tokenUsage.record', { records: [...records] }),
      none: { recorded: 0, duplicates: 0 },
      done: ({ recorded, duplicates }) =>
        `Recorded ${counted(recorded, 'request')}. Skipped ${counted(duplicates, 'duplicate')}.`,
      notes:
        'A record with a known record_id is skipped. The command stops at the first invalid line, after recording the lines\n' +
        'before it.',
      examples: [
        `echo '{"record_id":"r1","model":"small-1","input_tokens":1800,"output_tokens":240}' | backoffice usage ingest`,
        'backoffice usage ingest requests.jsonl',
      ],
    }),

    recompute: recomputeOf('usage'),
  },
};

async function printUsage(shown: Shown): Promise<void> {
  const { tokenUsage: usage, tokenAlerts = [], tokenDailyBreakdown: days = [], settings } = shown;
  if (usage === undefined) return;
  const { requests, failedRequests, inputTokens, cachedInputTokens, outputTokens, byModel } = usage;
  const { unreadableUsageSettings } = await import('../terminal/describe-setting.ts');
  const title = paint('bold');
  print(title(`${usage.month} (${usage.timezone})`));
  print(`  requests  ${grouped(requests)}, of which ${grouped(failedRequests)} failed`);
  print(
    `  tokens    ${grouped(inputTokens)} in (${grouped(cachedInputTokens)} cached), ${grouped(outputTokens)} out`,
  );
  printCost(usage);
  for (const { name, problem } of unreadableUsageSettings(settings))
    print(`  ${name.padEnd(10)}${paint('yellow')(`unreadable: ${printable(problem)}`)}`);
  if (byModel.length > 0) {
    print('');
    await emitTable(modelColumns, byModel);
  }
  print(`\n${title('Tokens by day')}`);
  const bars = days.map(({ date, totalTokens }) => ({ label: date, count: totalTokens }));
  print(renderBars(bars, chartWidth()));
  const firing = tokenAlerts.filter(({ status }) => status === 'firing');
  if (firing.length > 0) print(`\n${title('Alerts')}`);
  for (const { severity, message } of firing)
    print(`  ${paintSeverity(printable(severity), severity)}: ${printable(message)}`);
}

const gaugeWidth = 24;

function printCost({ cost, currency, unpricedTokens, budget }: Usage): void {
  const money = (amount: string) => `${amount} ${printable(currency)}`;
  print(`  cost      ${money(cost)}`);
  if (unpricedTokens > 0)
    print(
      `            without ${grouped(unpricedTokens)} tokens of models that have no price (backoffice usage prices set)`,
    );
  if (budget === null) return;
  const { limit, usedRatio, projectedCost } = budget;
  const severity = usedRatio >= 1 ? 'critical' : usedRatio >= 0.8 ? 'warning' : '';
  const gauge = paintSeverity(renderGauge(usedRatio, gaugeWidth), severity);
  const expected = projectedCost === null ? '' : `, ${money(projectedCost)} expected by the end of the month`;
  print(`  budget    ${gauge} ${percent(usedRatio)} of ${money(limit)}${expected}`);
}
