import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { scrapingRuns as noun } from '../../../src/contract/fields/scraping-runs.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { shownValue } from '../kit/columns.tsx';
import type { List } from '../kit/list.ts';
import { RecordDrawer } from '../kit/record.tsx';
import { MoreButton } from '../parts/buttons.tsx';
import { Facts } from '../parts/entries.tsx';
import { Mark } from '../parts/mark.tsx';
import { Moment } from '../parts/moment.tsx';
import { Failure } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';
import { durationOf, type ErrorFilter, errorsQuery, type LinkedError, type Run } from './scraping-queries.ts';

const ReportIssue = lazyPart(() => import('../issues/report-issue.tsx'), 'ReportIssue');

/** The longest title of an issue, in characters. */
const titleLength = 1_000;

/** Shows one run and its errors beside the list. */
export function RunDrawer({ list, id }: { readonly list: List<Run>; readonly id: string }) {
  return (
    <RecordDrawer list={list} id={id} at="run">
      {(run) => (
        <article className={sheet.stack}>
          <Facts facts={factsOf(run)} />
          <section className={sheet.stack}>
            <h3 className={sheet.heading}>Errors</h3>
            <ScrapingErrors filter={{ run_id: id }} />
          </section>
        </article>
      )}
    </RecordDrawer>
  );
}

function factsOf(run: Run) {
  const fact = (name: keyof typeof noun.fields, label: string = noun.fields[name].label) =>
    [label, shownValue(noun.fields[name], run[name]) || '—'] as const;
  return Object.fromEntries([
    fact('source'),
    fact('status'),
    fact('started_at'),
    fact('finished_at'),
    ['Duration', durationOf(run)] as const,
    fact('pages_succeeded'),
    fact('pages_failed', 'Failed pages'),
    fact('pages_blocked', 'Blocked pages'),
    fact('items_scraped'),
  ]);
}

/** The errors of a run or of a month, newest first, with the issues that were made from them. */
export function ScrapingErrors({ filter }: { readonly filter: ErrorFilter }) {
  const list = useInfiniteQuery(errorsQuery(filter));
  const [reported, setReported] = useState<LinkedError>();
  if (list.isLoadingError) return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (list.isPending) return <Skeleton height={160} data-loading />;
  const errors = list.data.pages.flatMap((page) => page.errors);
  if (errors.length === 0)
    return (
      <div className={sheet.items}>
        <p className={sheet.quiet}>{'run_id' in filter ? 'No errors.' : 'No errors in this month.'}</p>
      </div>
    );
  const close = () => setReported(undefined);
  return (
    <>
      <ul className={sheet.items}>
        {errors.map((error) => (
          <li key={error.id}>
            <ErrorText error={error} isOfRun={'run_id' in filter} />
            <Button variant="default" size="xs" onClick={() => setReported(error)}>
              Make an issue
            </Button>
          </li>
        ))}
      </ul>
      <MoreButton list={list} mx="auto">
        Show older errors
      </MoreButton>
      {reported && (
        <ReportIssue
          source={{ scraping_error_id: reported.id }}
          texts={issueOf(reported)}
          onReported={close}
          onClose={close}
        />
      )}
    </>
  );
}

/** An error in words; without its run, if that is shown around it. */
function ErrorText({ error, isOfRun }: { readonly error: LinkedError; readonly isOfRun: boolean }) {
  const { runId, source, url, message, occurredAt, issues } = error;
  return (
    <div className={sheet.lines}>
      <strong dir="auto" style={{ fontWeight: 500 }}>
        {message || kindOf(error)}
      </strong>
      <span className={sheet.quiet}>
        {message !== '' && `${kindOf(error)} · `}
        {!isOfRun && (
          <>
            <Link to="." search={(search) => ({ ...search, view: 'runs', run: runId })}>
              <bdi>{source}</bdi>
            </Link>
            {' · '}
          </>
        )}
        <Moment at={occurredAt} />
      </span>
      {url !== '' && <code className={sheet.quiet}>{url}</code>}
      {issues.map(({ issue_id, issue_title, issue_status }) => (
        <span key={issue_id}>
          <Link to="/issues" search={{ issue: issue_id }}>
            Issue {issue_id}: <bdi>{issue_title}</bdi>
          </Link>{' '}
          <Mark word={issue_status} />
        </span>
      ))}
    </div>
  );
}

/** Returns the code of an error with its HTTP status: `HTTP_ERROR 503`. */
function kindOf({ code, httpStatus }: Pick<LinkedError, 'code' | 'httpStatus'>): string {
  return httpStatus === null ? code : `${code} ${httpStatus}`;
}

/** Returns what an issue says that is made from an error. */
function issueOf(error: LinkedError) {
  const { source, runId, url, message, occurredAt } = error;
  const lines = [message, url, `${kindOf(error)}, ${source}, run ${runId}, ${occurredAt}`];
  return {
    title: `${source}: ${message || kindOf(error)}`.slice(0, titleLength),
    category: 'Scraping',
    description: lines.filter((line) => line !== '').join('\n'),
  };
}
