import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { SideDrawer } from '../parts/dialogs/side-drawer.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failure } from '../parts/failure.tsx';
import { Note } from '../parts/note.tsx';
import { formatCount } from '../parts/numbers.ts';
import { Moment } from '../parts/time/moment.tsx';
import { durationOf } from './run-columns.tsx';
import { RunStatusMark } from './run-status.tsx';
import { ScrapingErrors } from './scraping-errors.tsx';
import styles from './scraping-page.module.css';
import { type LinkedError, runQuery, type ScrapingRun } from './scraping-queries.ts';

interface RunDrawerProps {
  /** The run of the page's address. */
  readonly id: string | undefined;
  readonly onReport: (error: LinkedError) => void;
  readonly onClose: () => void;
}

/** Shows one run and its errors beside the list. */
export function RunDrawer({ id, onReport, onClose }: RunDrawerProps) {
  return (
    <SideDrawer isOpen={id !== undefined} onClose={onClose} size="lg" title="Run">
      {id !== undefined && <Content id={id} onReport={onReport} />}
    </SideDrawer>
  );
}

function Content({ id, onReport }: { readonly id: string; readonly onReport: (error: LinkedError) => void }) {
  const { data, error, refetch } = useQuery(runQuery(id));
  if (error && data === undefined) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={240} data-loading />;
  if (data === null) return <Note title="There is no such run">It may have been deleted.</Note>;
  return (
    <article className={styles.details}>
      <h2 className={styles.runTitle}>{data.source}</h2>
      <Facts facts={factsOf(data)} />
      <section className={styles.section}>
        <h3 className={styles.heading}>Errors</h3>
        <ScrapingErrors filter={{ run_id: id }} onReport={onReport} />
      </section>
    </article>
  );
}

function factsOf(run: ScrapingRun): ComponentProps<typeof Facts>['facts'] {
  const { run_id, status, started_at, finished_at } = run;
  return [
    ['Status', <RunStatusMark key="status" status={status} />],
    ['Run', run_id],
    ['Started', <Moment key="started" at={started_at} />],
    ['Ended', finished_at === null ? 'Not known' : <Moment key="ended" at={finished_at} />],
    ...(finished_at === null ? [] : [['Duration', durationOf(run)] as const]),
    ['Pages', formatCount(run.pages_succeeded)],
    ['Failed pages', formatCount(run.pages_failed)],
    ['Blocked pages', formatCount(run.pages_blocked)],
    ['Items', formatCount(run.items_scraped)],
  ];
}
