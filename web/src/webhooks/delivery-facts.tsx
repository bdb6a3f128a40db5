import { Facts } from '../parts/facts.tsx';
import { CopiedText } from '../parts/files/copied-text.tsx';
import { Mark } from '../parts/mark.tsx';
import { formatCount } from '../parts/numbers.ts';
import { DayMoment } from '../parts/time/day-moment.tsx';
import { RelativeTime } from '../parts/time/relative-time.tsx';
import { statusWords } from './delivery-words.ts';
import type { Delivery } from './webhook-queries.ts';
import styles from './webhooks-page.module.css';

/** Everything that is known of a delivery. */
export function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const { status, type, message_id, attempts, duration_ms, response_status, response_body, error } = delivery;
  const { created_at, last_attempt_at, next_attempt_at, replay_of, payload } = delivery;
  return (
    <>
      <Facts
        facts={[
          ['Status', <Mark key="status" word={statusWords[status]} />],
          ...(error === null ? [] : [['Error', error] as const]),
          ['Event', <code key="type">{type}</code>],
          ['Message', <code key="message">{message_id}</code>],
          ['Created', <DayMoment key="created" at={created_at} />],
          ['Attempts', formatCount(attempts)],
          ...(last_attempt_at === null
            ? []
            : [['Last attempt', <DayMoment key="last" at={last_attempt_at} />] as const]),
          ...(next_attempt_at === null
            ? []
            : [['Next attempt', <RelativeTime key="next" at={next_attempt_at} />] as const]),
          ...(duration_ms === null ? [] : [['Took', `${formatCount(duration_ms)} ms`] as const]),
          ...(replay_of === null ? [] : [['Repeats', `Delivery ${replay_of}`] as const]),
          ['Response', response_status === null ? 'None' : String(response_status)],
        ]}
      />
      {response_body !== null && response_body !== '' && (
        <>
          <h3 className={styles.heading}>Response body</h3>
          <Body label="Response body" text={response_body} />
        </>
      )}
      <h3 className={styles.heading}>Request body</h3>
      <Body label="Request body" text={JSON.stringify(payload, undefined, 2)} />
    </>
  );
}

function Body({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it
    <section className={styles.body} aria-label={label} tabIndex={0}>
      <CopiedText label={label} text={text} />
    </section>
  );
}
