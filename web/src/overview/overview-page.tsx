import { Button, Skeleton } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ActivitySubject, describeEvent } from '../../../src/contract/activity.ts';
import { type ActivityEvent, activityTypes } from '../../../src/contract/activity-types.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers, reloadSoon } from '../app/data/reload.ts';
import { useMay } from '../app/session/permissions.ts';
import { useSession } from '../app/session/session.ts';
import { Trend } from '../charts/trend.tsx';
import { connectQuery } from '../connect/connect-query.ts';
import { confirm } from '../form/confirm.tsx';
import { RelativeTime } from '../parts/moment.tsx';
import { Failure } from '../parts/note.tsx';
import { Page, PageContent } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { counted } from '../parts/words.ts';
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

/** The button that removes the example data, while there is some, for who may. */
function RemoveExamples() {
  const isAllowed = useMay()('exampleData.delete');
  const { data } = useQuery({
    queryKey: ['example-data'],
    queryFn: ({ signal }) => client.call('session.show', { include: 'examples' }, signal),
    enabled: isAllowed,
  });
  if (!isAllowed || !data?.has_examples) return null;
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

const shown = 8;
/** More than are shown: some say nothing, such as that somebody has read a message. */
const asked = 50;

/** The latest events, newest first. */
const activityQuery = queryOptions({
  queryKey: ['activity'],
  queryFn: async ({ signal }) => {
    const input = { limit: asked, types: activityTypes.join(',') };
    return (await client.call('events.list', input, signal)).events as readonly ActivityEvent[];
  },
});

receivers.add(({ type }) => {
  if ((activityTypes as readonly string[]).includes(type)) reloadSoon(activityQuery.queryKey);
});

/** What happened lately, as it happens. Each entry leads to what it is about. */
function LatestActivity() {
  const { admin } = useSession();
  const { data, error, refetch } = useQuery(activityQuery);
  const entries = (data ?? [])
    .flatMap((event) => {
      const activity = describeEvent(event, counted);
      return activity === undefined ? [] : [{ ...event, ...activity }];
    })
    .slice(0, shown);
  return (
    <section className={sheet.surface} aria-labelledby="activity">
      <h2 id="activity">Latest activity</h2>
      {data === undefined && error && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton flex={1} mih={320} data-loading />}
      {data !== undefined && entries.length === 0 && (
        <p className={sheet.quiet}>Nothing has happened yet. What people do appears here at once.</p>
      )}
      <ol className={styles.entries}>
        {entries.map(({ id, actor, created_at, text, detail, subject }) => (
          <li key={id}>
            <Link {...linkOf(subject)} className={`${sheet.small} ${styles.entry}`}>
              <span className={sheet.cut}>
                {text.charAt(0).toUpperCase() + text.slice(1)}
                {detail && (
                  <>
                    : <bdi>{detail}</bdi>
                  </>
                )}
              </span>
              <span className={sheet.cut}>
                {actor === admin.email ? 'You' : <bdi>{nameOf(actor)}</bdi>} ·{' '}
                <RelativeTime at={created_at} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Returns the name of a token without its owner, such as `Token website` for `admin@example.com (token:website)`. */
function nameOf(actor: string): string {
  return actor.replace(/^.* \(token:(.*)\)$/s, 'Token $1');
}

function linkOf({ kind, id }: ActivitySubject): LinkProps {
  if (kind === 'usage') return { to: '/usage' };
  if (kind === 'conversation') return { to: '/conversations', search: { id } };
  return id === undefined ? { to: '/issues' } : { to: '/issues', search: { issue: Number(id) } };
}
