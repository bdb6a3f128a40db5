import { getRouteApi } from '@tanstack/react-router';
import type { Measure } from '../app/addresses/searches.ts';
import { ChartCard } from '../chart/chart-card.tsx';
import { type ChartData, stackByDay } from '../chart/chart-data.ts';
import { StackedBars } from '../chart/stacked-bars.tsx';
import { useGo } from '../kit/go.ts';
import { Choice } from '../parts/choice.tsx';
import { formatMonth, MonthPicker } from '../parts/months.tsx';
import { ConnectLink, Failure } from '../parts/note.tsx';
import { Page, PageContent } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { formatMoney } from '../parts/words.ts';
import { UsageAlerts } from './usage-alerts.tsx';
import { type Usage, useUsage } from './usage-queries.ts';
import { ModelTable, SettingTable } from './usage-tables.tsx';
import { UsageTiles } from './usage-tiles.tsx';

const route = getRouteApi('/signed-in/usage');

/** Shows what language models cost in a month, and how that compares with the budgets. */
export function UsagePage() {
  const { month } = route.useSearch();
  const { data, error, isPlaceholderData, refetch } = useUsage();
  const go = useGo();
  return (
    <Page
      title="Usage"
      bar={
        <MonthPicker month={month} timeZone={data?.usage.timezone} onChange={(next) => go({ month: next })} />
      }
    >
      {error && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <PageContent className={sheet.stack} isStale={isPlaceholderData}>
          <UsageTiles />
          <div className={sheet.columns}>
            <div style={{ flex: '2 1 520px' }}>
              <UsageChart />
            </div>
            <UsageAlerts />
          </div>
          {data?.usage.byModel.length !== 0 && <ModelTable />}
          {data && (
            <div className={sheet.columns}>
              <SettingTable of="budgets" />
              <SettingTable of="prices" />
            </div>
          )}
        </PageContent>
      )}
    </Page>
  );
}

type Loaded = NonNullable<ReturnType<typeof useUsage>['data']>;

/** The cost or the tokens of each day, by model. */
function UsageChart() {
  const { measure = 'cost' } = route.useSearch();
  const { data } = useUsage();
  const go = useGo();
  const title = measure === 'cost' ? 'Cost by day' : 'Tokens by day';
  return (
    <ChartCard
      title={title}
      note={data && noteOf(data.usage, measure)}
      controls={
        <Choice
          label="Measure"
          words={{ cost: 'Cost', tokens: 'Tokens' }}
          chosen={measure}
          onChoose={(next) => go({ measure: next === 'cost' ? undefined : next }, true)}
        />
      }
      data={data && usageChart(data, measure)}
      empty={
        data?.usage.totalTokens === 0 ? (
          <>
            No requests in this month. <ConnectLink />
          </>
        ) : (
          'No model that was used has a price. Add prices, or show the tokens.'
        )
      }
      file={`${measure}-by-day-${data?.usage.month}`}
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
function usageChart({ usage: { byModel, currency }, days }: Loaded, measure: Measure): ChartData {
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
    ...(measure === 'cost' && { format: (value) => formatMoney(String(value), currency) }),
  };
}
