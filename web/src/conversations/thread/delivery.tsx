import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { deliveryWords } from '../../../../src/contract/deliveries.ts';
import { client } from '../../app/data/client.ts';
import { tellError } from '../../parts/tell.ts';
import { type Message, reloadConversations } from '../conversation-queries.ts';
import styles from './message.module.css';

interface DeliveryProps {
  readonly message: Message;
  readonly delivery: NonNullable<Message['delivery']>;
}

/** What became of the mail of a reply, and why. One that failed can be sent again. */
export function Delivery({ message, delivery: { state, error } }: DeliveryProps) {
  const retry = useMutation({
    mutationFn: () => client.call('messages.retry', { id: message.id }),
    onError: tellError,
    onSettled: () => reloadConversations(message.conversation_id),
  });
  return (
    <div className={styles.delivery} data-state={state} role="status">
      <p className={styles.meta}>
        <span className={styles.deliveryState}>{deliveryWords(state, error)}</span>
        {error !== null && (
          <span className={styles.deliveryError} dir="auto">
            {error}
          </span>
        )}
      </p>
      {state === 'failed' && (
        <Button size="compact-xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
          Send again
        </Button>
      )}
    </div>
  );
}
