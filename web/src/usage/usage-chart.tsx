import type { Measure } from '../app/addresses/searches.ts';
import { ChartCard } from '../chart/chart-card.tsx';
import { type ChartData, stackByDay } from '../chart/chart-data.ts';
import { StackedBars } from '../chart/stacked-bars.tsx';
import { useGo } from '../kit/go.ts';
import { Choice } from '../parts/choice.tsx';
import { formatMonth } from '../parts/months.tsx';
import { ConnectLink } from '../parts/note.tsx';
import { formatMoney } from '../parts/numbers.ts';
import type { Usage, UsageDay } from './usage-queries.ts';

interface UsageChartProps {
  /** Undefined while they are loaded. */
  readonly usage: Usage | undefined;
  readonly days: readonly UsageDay[];
  readonly measure: Measure;
}

/** The cost or the tokens of each day, by model. */
export function UsageChart({ usage, days, measure }: UsageChartProps) {
  const go = useGo();
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
          onChoose={(next) => go({ measure: next === 'cost' ? undefined : next }, true)}
        />
      }
      data={usage && usageChart(usage, days, measure)}
      empty={
        usage?.totalTokens === 0 ? (
          <>
            No requests in this month. <ConnectLink />
          </>
        ) : (
          'No model that was used has a price. Add prices, or show the tokens.'
        )
      }
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
  const used = byModel.filter((model) => amountOf(model) > 0);
  const names = used.toSorted((a, b) => amountOf(b) - amountOf(a)).map(({ model }) => model);
  return {
    ...stackByDay({
      days,
      // Several providers may have the same model.
      names: [...new Set(names)],
      others: 'Other models',
      amountsOf: (day) => day.byModel.map((model) => [model.model, amountOf(model)]),
    }),
    ...(measure === 'cost' ? { format: (value) => formatMoney(String(value), currency) } : {}),
  };
}
