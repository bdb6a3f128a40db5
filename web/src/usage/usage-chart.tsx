import { ChartCard } from '../parts/chart/chart-card.tsx';
import { type ChartData, seriesColour } from '../parts/chart/chart-data.ts';
import { dayNames } from '../parts/chart/day-rows.ts';
import { chartHeight, StackedBars } from '../parts/chart/stacked-bars.tsx';
import { Choice } from '../parts/choice.tsx';
import { formatMoney } from '../parts/money.ts';
import { formatMonth } from '../parts/time/months.ts';
import type { Usage, UsageDay } from './usage-queries.ts';
import type { Measure } from './usage-search.ts';

/** So many models have a colour of their own. The others are one. */
const mostModels = 7;
const others = 'Other models';
/** With one line of legend. */
const height = chartHeight + 28;

interface UsageChartProps {
  /** Undefined while they are loaded. */
  readonly usage: Usage | undefined;
  readonly days: readonly UsageDay[];
  readonly measure: Measure;
  readonly onMeasure: (measure: Measure) => void;
}

/** The cost or the tokens of each day, by model. */
export function UsageChart({ usage, days, measure, onMeasure }: UsageChartProps) {
  const title = measure === 'cost' ? 'Cost by day' : 'Tokens by day';
  return (
    <ChartCard
      title={title}
      note={usage && noteOf(usage, measure)}
      controls={
        <Choice
          label="Measure"
          words={{ cost: 'Cost', tokens: 'Tokens' }}
          chosen={measure}
          onChoose={onMeasure}
        />
      }
      data={usage && usageChart(usage, days, measure)}
      empty={
        usage?.totalTokens === 0
          ? 'No requests in this month.'
          : 'No model that was used has a price. Add prices below, or show the tokens.'
      }
      height={height}
      file={`${measure}-by-day-${usage?.month}`}
    >
      {(chart) => <StackedBars label={`${title} and by model`} data={chart} />}
    </ChartCard>
  );
}

function noteOf({ month, timezone, unpricedTokens }: Usage, measure: Measure): string {
  const isPartial = measure === 'cost' && unpricedTokens > 0;
  return `${formatMonth(month)}, days of ${timezone}${isPartial ? '. Models without a price are not in it' : ''}`;
}

/** Stacks the models of each day. */
export function usageChart(
  { byModel, currency }: Usage,
  days: readonly UsageDay[],
  measure: Measure,
): ChartData {
  const amountOf = ({ cost, totalTokens }: Usage['byModel'][number]) =>
    measure === 'cost' ? Number(cost ?? 0) : totalTokens;
  const sums = new Map<string, number>();
  for (const model of byModel) sums.set(model.model, (sums.get(model.model) ?? 0) + amountOf(model));
  const used = [...sums].filter(([, sum]) => sum > 0).sort(([, a], [, b]) => b - a);
  const models = used.slice(0, mostModels).map(([model]) => model);
  const names = used.length > mostModels ? [...models, others] : models;
  return {
    rowName: 'Day',
    series: names.map((name, index) => ({ name, colour: seriesColour(index) })),
    rows: days.map(({ date, byModel: ofDay }) => ({
      ...dayNames(date),
      values: names.map((name) =>
        ofDay
          .filter(({ model }) => (name === others ? !models.includes(model) : model === name))
          .reduce((sum, model) => sum + amountOf(model), 0),
      ),
    })),
    ...(measure === 'cost' ? { format: (value) => formatMoney(String(value), currency) } : {}),
  };
}
