import { ChartCard } from '../parts/chart/chart-card.tsx';
import type { ChartData } from '../parts/chart/chart-data.ts';
import { stackByDay } from '../parts/chart/stack-by-day.ts';
import { barsHeight, StackedBars } from '../parts/chart/stacked-bars.tsx';
import { Choice } from '../parts/inputs/choice.tsx';
import { formatMoney } from '../parts/money.ts';
import { formatMonth } from '../parts/time/months.ts';
import type { Usage, UsageDay } from './usage-queries.ts';
import type { Measure } from './usage-search.ts';

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
      height={barsHeight}
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
function usageChart({ byModel, currency }: Usage, days: readonly UsageDay[], measure: Measure): ChartData {
  const amountOf = ({ cost, totalTokens }: Usage['byModel'][number]) =>
    measure === 'cost' ? Number(cost ?? 0) : totalTokens;
  const sums = new Map<string, number>();
  for (const model of byModel) sums.set(model.model, (sums.get(model.model) ?? 0) + amountOf(model));
  const used = [...sums].filter(([, sum]) => sum > 0).sort(([, a], [, b]) => b - a);
  return {
    ...stackByDay({
      names: used.map(([model]) => model),
      others: 'Other models',
      days: days.map(({ date, byModel: ofDay }) => ({
        date,
        parts: ofDay.map((model) => ({ name: model.model, amount: amountOf(model) })),
      })),
    }),
    ...(measure === 'cost' ? { format: (value) => formatMoney(String(value), currency) } : {}),
  };
}
