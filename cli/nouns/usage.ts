import type { OutputOf } from '../../src/contract/registry.ts';
import { recomputeOf } from '../operate/recompute.ts';
import { emitTable, emitWithTable } from '../output/emit.ts';
import { listIn } from '../output/formats.ts';
import { renderBars } from '../terminal/chart.ts';
import { chartWidth, print } from '../terminal/terminal.ts';
import { counted } from '../terminal/text.ts';
import { paint, paintTone, type Tone } from '../terminal/tones.ts';
import { alertColumns, modelColumns } from '../terminal/usage-columns.ts';
import { emitDone } from '../verb/change.ts';
import { table } from '../verb/list.ts';
import { calling, verbs } from '../verb/verb.ts';
import { ingested, month, namedMonth, readAnalytics } from './analytics.ts';
import { budget, prices } from './usage-money.ts';

type Shown = OutputOf<'settings.show'>;

/** AI tokens and their cost. */
export const usage = verbs('backoffice usage show', {
  show: calling('settings.show', {
    about: "show this month's usage by model and day, its cost and budget, and firing alerts",
    params: { month },
    output: { csv: 'print CSV with a row for each model of the month' },
    fields: () => ['tokenUsage', 'tokenAlerts', 'tokenDailyBreakdown'],
    web: {
      page: 'usage',
      takes: ['month'],
      resolve: (_option, value, access) => namedMonth(access, 'token-usage', value),
    },
    examples: ['backoffice usage show --month last --csv > models.csv'],
    async run({ given, format, access }) {
      const shown = await readAnalytics(access, 'token-usage', given.month);
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

  alerts: table('settings.show', {
    about: 'list budget alerts, firing ones first, then newest first',
    rows: listIn('settings.show', 'tokenAlerts'),
    columns: alertColumns,
    web: { page: 'usage' },
    examples: ['backoffice usage alerts --json message,status'],
    async read({ access }) {
      const { tokenAlerts = [] } = await access.call('settings.show', { section: 'token-usage' });
      return { document: { tokenAlerts }, none: 'No alerts.' };
    },
  }),

  prices: { about: 'see and set the token prices of each model', ...prices },
  budget: { about: 'see and set the monthly budgets', ...budget },

  ingest: calling('tokenUsage.record', {
    about: 'record requests to language models, one JSON object per line',
    params: ingested,
    notes:
      'A record with a known record_id is skipped. The command stops at the first invalid line, after recording the lines\n' +
      'before it.',
    examples: [
      `echo '{"record_id":"r1","model":"small-1","input_tokens":1800,"output_tokens":240}' | backoffice usage ingest`,
      'backoffice usage ingest requests.jsonl',
    ],
    async run({ given: { file = '-' }, format, access }) {
      const { ingest } = await import('../input/ingest.ts');
      const { maxRecords: maxItemsPerRequest, tokenUsageRecordSchema: schema } = await import(
        '../../src/contract/operations/token-usage.ts'
      );
      const none = { recorded: 0, duplicates: 0 };
      const sent = await ingest(
        {
          file,
          schema,
          maxItemsPerRequest,
          name: 'records',
          send: (records): Promise<typeof none> =>
            access.call('tokenUsage.record', { records: [...records] }),
        },
        none,
      );
      const { recorded, duplicates } = sent;
      const done = `Recorded ${counted(recorded, 'request')}. Skipped ${counted(duplicates, 'duplicate')}.`;
      await emitDone({ success: true, ...sent }, format, done);
    },
  }),

  recompute: recomputeOf('usage'),
});

async function printUsage(shown: Shown): Promise<void> {
  const { tokenUsage: usage, tokenAlerts = [], tokenDailyBreakdown: days = [] } = shown;
  if (usage === undefined) return;
  const { alertLines, usageLines } = await import('../terminal/usage.ts');
  const title = paint('bold');
  const toned = (tone: Tone | undefined) => (text: string) => paintTone(text, tone);
  print([title(`${usage.month} (${usage.timezone})`), ...usageLines(shown, Infinity, toned)].join('\n'));
  if (usage.byModel.length > 0) {
    print('');
    await emitTable(modelColumns, usage.byModel);
  }
  print(`\n${title('Tokens by day')}`);
  const bars = days.map(({ date, totalTokens }) => ({ label: date, count: totalTokens }));
  print(renderBars(bars, chartWidth()));
  const firing = tokenAlerts.filter(({ status }) => status === 'firing');
  if (firing.length > 0) print([`\n${title('Alerts')}`, ...alertLines(firing, Infinity, toned)].join('\n'));
}
