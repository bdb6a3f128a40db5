import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useGo } from '../kit/go.ts';
import { Failure } from '../parts/failure.tsx';
import { MonthPicker, monthNow } from '../parts/months.tsx';
import { Page, PageContent } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { UsageAlerts } from './usage-alerts.tsx';
import { UsageChart } from './usage-chart.tsx';
import { usageQuery } from './usage-queries.ts';
import { ModelTable, SettingTable } from './usage-tables.tsx';
import { UsageTiles } from './usage-tiles.tsx';

const route = getRouteApi('/signed-in/usage');

/** Shows what language models cost in a month, and how that compares with the budgets. */
export function UsagePage() {
  const { month, measure = 'cost' } = route.useSearch();
  const query = useQuery(usageQuery(month));
  const { data, error, isPlaceholderData, refetch } = query;
  const usage = data?.usage;
  const go = useGo();
  return (
    <Page
      title="Usage"
      bar={<MonthPicker month={month} timeZone={usage?.timezone} onChange={(next) => go({ month: next })} />}
    >
      {error && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <PageContent className={sheet.stack} isStale={isPlaceholderData}>
          <UsageTiles
            usage={usage}
            alerts={data?.alerts ?? []}
            isCurrent={usage?.month === monthNow(usage?.timezone)}
          />
          <div className={sheet.columns}>
            <div style={{ flex: '2 1 520px' }}>
              <UsageChart usage={usage} days={data?.days ?? []} measure={measure} />
            </div>
            <UsageAlerts alerts={data?.alerts} currency={usage?.currency ?? ''} />
          </div>
          {usage?.byModel.length !== 0 && <ModelTable query={query} />}
          {data && (
            <div className={sheet.columns}>
              <SettingTable of="budgets" settings={data.settings} currency={data.usage.currency} />
              <SettingTable of="prices" settings={data.settings} currency={data.usage.currency} />
            </div>
          )}
        </PageContent>
      )}
    </Page>
  );
}
