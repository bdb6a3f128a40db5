import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { useSettingRefusal } from '../app/session/use-setting-refusal.ts';
import { Failure } from '../parts/failure.tsx';
import { CsvButton } from '../parts/files/csv-button.tsx';
import { Page, PageContent } from '../parts/page/page.tsx';
import { Section } from '../parts/page/section.tsx';
import { MonthPicker } from '../parts/time/month-picker.tsx';
import { monthNow } from '../parts/time/months.ts';
import { settingKeys } from './edit-link.tsx';
import { UsageAlerts } from './usage-alerts.tsx';
import { UsageChart } from './usage-chart.tsx';
import { modelLines, UsageModels } from './usage-models.tsx';
import styles from './usage-page.module.css';
import { usageQuery } from './usage-queries.ts';
import { UsageSettings } from './usage-settings.tsx';
import { UsageTiles } from './usage-tiles.tsx';

/* A page can be seen without its forms. */
const EditPrices = lazyPart(() => import('./edit-prices.tsx'), 'EditPrices');
const EditBudgets = lazyPart(() => import('./edit-budgets.tsx'), 'EditBudgets');

const route = getRouteApi('/signed-in/usage');

/** Shows what language models cost in a month, and how that compares with the budgets. */
export function UsagePage() {
  const { month, measure = 'cost', edit: wanted, model } = route.useSearch();
  const refusalOf = useSettingRefusal();
  const edit = wanted !== undefined && refusalOf(settingKeys[wanted]) === undefined ? wanted : undefined;
  const navigate = route.useNavigate();
  const { data, error, isPlaceholderData, refetch } = useQuery(usageQuery(month));
  const usage = data?.usage;
  const closeForm = () =>
    void navigate({ search: (search) => ({ ...search, edit: undefined, model: undefined }) });
  return (
    <Page
      title="Usage"
      bar={
        <MonthPicker
          month={month}
          timeZone={usage?.timezone}
          onChange={(next) => void navigate({ search: (search) => ({ ...search, month: next }) })}
        />
      }
    >
      {error && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <PageContent className={styles.content} isStale={isPlaceholderData}>
          <UsageTiles usage={usage} isCurrent={usage?.month === monthNow(usage?.timezone)} />
          <UsageChart
            usage={usage}
            days={data?.days ?? []}
            measure={measure}
            onMeasure={(next) =>
              void navigate({
                search: (search) => ({ ...search, measure: next === 'cost' ? undefined : next }),
                replace: true,
              })
            }
          />
          <Section
            isPlain
            title="Models"
            bar={
              <CsvButton
                label="Models"
                file={`models-${usage?.month}`}
                lines={usage && (() => modelLines(usage))}
              />
            }
          >
            <UsageModels usage={usage} />
          </Section>
          <Section isPlain title="Alerts">
            {data ? <UsageAlerts alerts={data.alerts} /> : <Skeleton height={54} data-loading />}
          </Section>
          {data && <UsageSettings settings={data.settings} currency={data.usage.currency} />}
        </PageContent>
      )}
      {data && (
        <Suspense>
          {edit === 'prices' && (
            <EditPrices
              settings={data.settings}
              currency={data.usage.currency}
              month={monthNow(data.usage.timezone)}
              model={model}
              onClose={closeForm}
            />
          )}
          {edit === 'budgets' && (
            <EditBudgets settings={data.settings} currency={data.usage.currency} onClose={closeForm} />
          )}
        </Suspense>
      )}
    </Page>
  );
}
