import { Loader } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../app/data/client.ts';
import { Dialog } from '../form/dialog.tsx';
import type { List } from '../kit/list.ts';
import { RecordDrawer } from '../kit/record.tsx';
import { GuardedButton } from '../parts/buttons.tsx';
import { CopiedText } from '../parts/copied-text.tsx';
import { Facts } from '../parts/entries.tsx';
import { Mark } from '../parts/mark.tsx';
import { DayMoment, RelativeTime } from '../parts/moment.tsx';
import sheet from '../parts/sheet.module.css';
import { tell, tellError } from '../parts/tell.tsx';
import { formatCount } from '../parts/words.ts';
import { type Delivery, deliveries, durationOf, statusOf, webhooks } from './webhook-resource.tsx';
import styles from './webhooks.module.css';

/** Shows one delivery beside the list. */
export function DeliveryDrawer({ list, id }: { readonly list: List<Delivery>; readonly id: number }) {
  return (
    <RecordDrawer list={list} id={id} at="delivery">
      {(delivery) => (
        <article className={sheet.stack}>
          <SendAgain delivery={delivery} />
          <DeliveryFacts delivery={delivery} />
        </article>
      )}
    </RecordDrawer>
  );
}

const waiting = 'It is already waiting to be sent.';

function SendAgain({ delivery: { id, webhook_id, status } }: { readonly delivery: Delivery }) {
  const { data: webhook } = useQuery(webhooks.oneQuery(webhook_id));
  const send = useMutation({
    mutationFn: () => client.call('webhooks.replay', { delivery_id: id }),
    onSuccess: ({ replayed }) => tell(replayed === 0 ? waiting : 'The message is being sent again.'),
    onError: tellError,
    onSettled: () => deliveries.reload(),
  });
  let reason: string | undefined;
  if (webhook === null) reason = 'The webhook was deleted.';
  else if (webhook?.is_active === 0) reason = 'The webhook is inactive. Activate it first.';
  else if (status === 'pending') reason = waiting;
  return (
    <div>
      <GuardedButton reason={reason} variant="default" loading={send.isPending} onClick={() => send.mutate()}>
        Send again
      </GuardedButton>
    </div>
  );
}

/** Everything that is known of a delivery. */
function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const { type, message_id, attempts, duration_ms, response_status, response_body, error } = delivery;
  const { created_at, last_attempt_at, next_attempt_at, replay_of, payload } = delivery;
  const facts = {
    Status: <Mark word={statusOf(delivery)} />,
    Error: error && <bdi>{error}</bdi>,
    Event: <code>{type}</code>,
    Message: <code>{message_id}</code>,
    Created: <DayMoment at={created_at} />,
    Attempts: formatCount(attempts),
    'Last attempt': last_attempt_at && <DayMoment at={last_attempt_at} />,
    'Next attempt': next_attempt_at && <RelativeTime at={next_attempt_at} />,
    Duration: durationOf(duration_ms),
    Repeats: replay_of && `Delivery ${replay_of}`,
    Response: response_status ?? 'None',
  };
  return (
    <>
      <Facts facts={facts} />
      {response_body && <Body label="Response body" text={response_body} />}
      <Body label="Request body" text={JSON.stringify(payload, undefined, 2)} />
    </>
  );
}

function Body({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <>
      <h3 className={sheet.heading}>{label}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it */}
      <section className={styles.body} aria-label={label} tabIndex={0}>
        <CopiedText label={label} text={text} />
      </section>
    </>
  );
}

interface TestResultProps {
  readonly url: string;
  /** Undefined while the receiver has not answered. */
  readonly delivery?: Delivery;
  readonly onClose: () => void;
}

/** What the receiver has answered to a test message. */
export function TestResult({ url, delivery, onClose }: TestResultProps) {
  return (
    <Dialog onClose={onClose} title="Test message" size="lg">
      {delivery === undefined ? (
        <p className={sheet.row} role="status">
          <Loader size="sm" /> <span className={sheet.text}>Waiting for {url} to answer</span>
        </p>
      ) : (
        <div className={sheet.stack}>
          <p className={sheet.text} role="status">
            {delivery.status === 'succeeded'
              ? 'The receiver accepted the message.'
              : 'The receiver did not accept the message. A test message is not sent again.'}
          </p>
          <DeliveryFacts delivery={delivery} />
        </div>
      )}
    </Dialog>
  );
}
