import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { useMay } from '../app/session/permissions.ts';
import { Trend } from '../charts/trend.tsx';
import { connectQuery } from '../connect/connect-query.ts';
import { confirm } from '../form/confirm.tsx';
import { Page, PageContent } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { LatestActivity } from './activity.tsx';
import styles from './overview-page.module.css';
import { OverviewTiles } from './overview-tiles.tsx';

const days = 30;

/** What one wants to know first: what waits for somebody, how it goes, and what happened. */
export function OverviewPage() {
  return (
    <Page
      title="Overview"
      action={
        <>
          <RemoveExamples />
          <ConnectButton />
        </>
      }
    >
      <PageContent className={sheet.stack}>
        <OverviewTiles />
        <div className={styles.columns}>
          <Trend title={`Issues, ${days} days`} days={days} controls={<Link to="/charts">All charts</Link>} />
          <LatestActivity />
        </div>
      </PageContent>
    </Page>
  );
}

/** Leads to the page that connects the website while nothing has come in from it. */
function ConnectButton() {
  const { data } = useQuery(connectQuery);
  if (data === undefined || Object.values(data.connected).includes(true)) return null;
  return (
    <Button component={Link} to="/connect" size="compact-sm">
      Connect your website
    </Button>
  );
}

const examplesQuery = queryOptions({
  queryKey: ['example-data'],
  queryFn: async ({ signal }) =>
    (await client.call('session.show', { include: 'examples' }, signal)).has_examples,
});

/** The button that removes the example data, while there is some, for who may. */
function RemoveExamples() {
  const isAllowed = useMay()('exampleData.delete');
  const { data: hasExamples = false } = useQuery({ ...examplesQuery, enabled: isAllowed });
  if (!isAllowed || !hasExamples) return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => void removeExamples()}>
      Remove examples
    </Button>
  );
}

async function removeExamples(): Promise<void> {
  const isRemoved = await confirm({
    title: 'Remove the example data?',
    text:
      'This deletes the example issues and conversations, with all that was written in them since, and the example usage ' +
      'and scraping runs. Settings and saved replies that somebody has changed stay, and so does all other data. You ' +
      'cannot undo this.',
    action: 'Remove',
    run: () => client.call('exampleData.delete'),
  });
  if (isRemoved) await queryClient.invalidateQueries();
}
