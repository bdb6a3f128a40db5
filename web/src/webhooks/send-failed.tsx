import { Alert, Button, Progress, Select } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../app/data/client.ts';
import { Dialog } from '../form/dialog.tsx';
import { useReturnFocus } from '../form/use-return-focus.ts';
import { DialogButtons, DialogContent } from '../parts/dialogs/dialog-layout.tsx';
import { sentenceOf } from '../parts/failure.tsx';
import { Mark } from '../parts/mark.tsx';
import { counted, formatCount } from '../parts/numbers.ts';
import { deliveryCountQuery, reloadWebhooks, type Webhook } from './webhook-queries.ts';
import { nameOfWebhook } from './webhook-words.ts';
import styles from './webhooks-page.module.css';

const hourMs = 3_600_000;
const periods = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
];

interface SendFailedProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** Sends the failed messages of a time again, and shows how far that is. */
export function SendFailed({ webhook, onClose }: SendFailedProps) {
  const [hours, setHours] = useState('24');
  const [now] = useState(Date.now);
  const since = new Date(now - Number(hours) * hourMs).toISOString();
  const { data: count } = useQuery(deliveryCountQuery({ webhook_id: webhook.id, status: 'failed', since }));
  const send = useMutation({
    mutationFn: async () => {
      // By the clock of the service, what is made from now on is newer than the latest delivery.
      const { deliveries } = await client.call('webhooks.deliveries', { webhook_id: webhook.id, limit: 1 });
      const input = { webhook_id: webhook.id, since, status: 'failed' } as const;
      const { replayed } = await client.call('webhooks.replay', input);
      return { replayed, after: deliveries[0]?.created_at ?? since };
    },
    onSettled: reloadWebhooks,
  });
  useReturnFocus();
  return (
    <Dialog opened onClose={onClose} title="Send failed messages again">
      <DialogContent>
        {send.data === undefined ? (
          <>
            <p className={styles.text}>
              To {nameOfWebhook(webhook)}. A message whose later delivery succeeded is not sent.
            </p>
            <Select
              label="Failed in"
              data={periods}
              value={hours}
              allowDeselect={false}
              onChange={(value) => setHours(value ?? hours)}
              description={count === undefined ? ' ' : counted(count, 'failed delivery', 'failed deliveries')}
            />
            {send.error && (
              <Alert color="red" role="alert">
                {sentenceOf(send.error)}
              </Alert>
            )}
            <DialogButtons>
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button loading={send.isPending} disabled={count === 0} onClick={() => send.mutate()}>
                Send again
              </Button>
            </DialogButtons>
          </>
        ) : (
          <Sending webhookId={webhook.id} {...send.data} onClose={onClose} />
        )}
      </DialogContent>
    </Dialog>
  );
}

interface SendingProps {
  readonly webhookId: number;
  readonly replayed: number;
  /** They are newer than this. */
  readonly after: string;
  readonly onClose: () => void;
}

function Sending({ webhookId, replayed, after, onClose }: SendingProps) {
  const tally = (status: string) => deliveryCountQuery({ webhook_id: webhookId, status, since: after });
  const { data: pending = replayed } = useQuery({
    ...tally('pending'),
    refetchInterval: ({ state }) => (state.data === 0 ? false : 1_000),
  });
  const done = Math.max(0, replayed - pending);
  return (
    <>
      <p className={styles.text} role="status">
        {replayed === 0
          ? 'There is nothing to send: no message of that time has failed last.'
          : `${formatCount(done)} of ${counted(replayed, 'message')} sent.`}
      </p>
      {replayed > 0 && (
        <>
          <Progress value={(100 * done) / replayed} aria-label="Sent messages" />
          {pending > 0 && (
            <p className={styles.text}>
              <Mark word="Pending" /> Those that fail are tried again later. You can close this: it goes on.
            </p>
          )}
        </>
      )}
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </>
  );
}
