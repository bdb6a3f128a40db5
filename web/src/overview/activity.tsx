import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../app/session/session.ts';
import { Failure } from '../parts/failure.tsx';
import { RelativeTime } from '../parts/time/relative-time.tsx';
import styles from './activity.module.css';
import { activityQuery } from './activity-queries.ts';
import { describeEvent } from './describe-event.ts';

const shown = 8;

/** What happened lately, as it happens. Each entry leads to what it is about. */
export function LatestActivity() {
  const { admin } = useSession();
  const { data, error, refetch } = useQuery(activityQuery);
  const entries = (data ?? [])
    .flatMap((event) => {
      const activity = describeEvent(event);
      return activity === undefined ? [] : [{ ...event, ...activity }];
    })
    .slice(0, shown);
  return (
    <section className={styles.card} aria-labelledby="activity">
      <h2 id="activity" className={styles.title}>
        Latest activity
      </h2>
      {data === undefined && error && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton className={styles.skeleton ?? ''} data-loading />}
      {data !== undefined && entries.length === 0 && (
        <p className={styles.none}>Nothing has happened yet. What people do appears here at once.</p>
      )}
      <ol className={styles.list}>
        {entries.map(({ id, actor, created_at, text, detail, link }) => (
          <li key={id}>
            <Link {...link} className={styles.entry}>
              <span className={styles.text}>
                <strong>{actor === admin.email ? 'You' : <bdi>{actor}</bdi>}</strong> {text}
                {detail && (
                  <>
                    : <bdi>{detail}</bdi>
                  </>
                )}
              </span>
              <span className={styles.time}>
                <RelativeTime at={created_at} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
