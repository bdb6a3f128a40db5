import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failure } from '../parts/failure.tsx';
import { Mark } from '../parts/mark.tsx';
import { MoreButton } from '../parts/table/more-button.tsx';
import { Moment } from '../parts/time/moment.tsx';
import styles from './scraping-page.module.css';
import { type ErrorFilter, errorsQuery, type LinkedError } from './scraping-queries.ts';

interface ScrapingErrorsProps {
  readonly filter: ErrorFilter;
  /** Makes an issue from an error. */
  readonly onReport: (error: LinkedError) => void;
}

/** The errors of a run or of a month, newest first, with the issues that were made from them. */
export function ScrapingErrors({ filter, onReport }: ScrapingErrorsProps) {
  const list = useInfiniteQuery(errorsQuery(filter));
  if (list.isLoadingError) return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (list.isPending) return <Skeleton height={160} data-loading />;
  const errors = list.data.pages.flatMap((page) => page.errors);
  if (errors.length === 0) return <p className={styles.soft}>No errors.</p>;
  const isOfRun = 'run_id' in filter;
  return (
    <>
      <ul className={styles.errors}>
        {errors.map((error) => (
          <ErrorItem key={error.id} error={error} isOfRun={isOfRun} onReport={onReport} />
        ))}
      </ul>
      <MoreButton list={list} size="sm" className={styles.more ?? ''}>
        Show older errors
      </MoreButton>
    </>
  );
}

interface ErrorItemProps {
  readonly error: LinkedError;
  /** Whether it is shown with its run. */
  readonly isOfRun: boolean;
  readonly onReport: (error: LinkedError) => void;
}

function ErrorItem({ error, isOfRun, onReport }: ErrorItemProps) {
  const { runId, source, url, message, occurredAt, issues } = error;
  return (
    <li className={styles.error}>
      <div className={styles.errorText}>
        <p className={styles.message}>{message === '' ? kindOf(error) : message}</p>
        <p className={styles.soft}>
          {message !== '' && <>{kindOf(error)} · </>}
          {!isOfRun && (
            <>
              <Link to="." search={(search) => ({ ...search, run: runId })}>
                {source}
              </Link>{' '}
              ·{' '}
            </>
          )}
          <Moment at={occurredAt} />
        </p>
        {url !== '' && <p className={styles.url}>{url}</p>}
        {issues.map(({ issue_id, issue_title, issue_status }) => (
          <p key={issue_id}>
            <Link to="/issues" search={{ issue: issue_id }}>
              Issue {issue_id}: {issue_title}
            </Link>{' '}
            <Mark word={issue_status} />
          </p>
        ))}
      </div>
      <Button variant="default" size="xs" onClick={() => onReport(error)}>
        Make an issue
      </Button>
    </li>
  );
}

/** Returns the code of an error with its HTTP status: `HTTP_ERROR 503`. */
export function kindOf({ code, httpStatus }: Pick<LinkedError, 'code' | 'httpStatus'>): string {
  return httpStatus === null ? code : `${code} ${httpStatus}`;
}
