import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../app/data/client.ts';
import { SideDrawer } from '../parts/dialogs/side-drawer.tsx';
import { Failure } from '../parts/failure.tsx';
import { GuardedButton } from '../parts/inputs/guarded-button.tsx';
import { Note } from '../parts/note.tsx';
import { tell, tellError } from '../parts/tell.ts';
import { DeliveryFacts } from './delivery-facts.tsx';
import { type Delivery, deliveryQuery, reloadWebhooks, webhooksQuery } from './webhook-queries.ts';
import styles from './webhooks-page.module.css';

interface DeliveryDrawerProps {
  /** The delivery of the page's address. */
  readonly id: number | undefined;
  readonly onClose: () => void;
}

/** Shows one delivery beside the list. */
export function DeliveryDrawer({ id, onClose }: DeliveryDrawerProps) {
  return (
    <SideDrawer isOpen={id !== undefined} onClose={onClose} size="lg" title={id && `Delivery ${id}`}>
      {id !== undefined && <Content id={id} />}
    </SideDrawer>
  );
}

function Content({ id }: { readonly id: number }) {
  const { data, error, refetch } = useQuery(deliveryQuery(id));
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <div data-loading className={styles.loading} />;
  if (data === null) return <Note title="There is no such delivery">They are kept for 30 days.</Note>;
  return (
    <article className={styles.details}>
      <div>
        <SendAgain delivery={data} />
      </div>
      <DeliveryFacts delivery={data} />
    </article>
  );
}

function SendAgain({ delivery }: { readonly delivery: Delivery }) {
  const { data: webhooks } = useQuery(webhooksQuery());
  const webhook = webhooks?.find(({ id }) => id === delivery.webhook_id);
  const send = useMutation({
    mutationFn: () => client.call('webhooks.replay', { delivery_id: delivery.id }),
    onSuccess: ({ replayed }) =>
      tell(replayed === 0 ? 'It is still to be sent.' : 'It is sent again in a moment.'),
    onError: tellError,
    onSettled: reloadWebhooks,
  });
  const reason = reasonAgainst(delivery, webhooks === undefined || webhook !== undefined, webhook?.is_active);
  return (
    <GuardedButton reason={reason} variant="default" loading={send.isPending} onClick={() => send.mutate()}>
      Send again
    </GuardedButton>
  );
}

function reasonAgainst(
  { status }: Delivery,
  isThere: boolean,
  isActive: number | undefined,
): string | undefined {
  if (!isThere) return 'The webhook was deleted.';
  if (isActive === 0) return 'The webhook is inactive. Activate it first.';
  return status === 'pending' ? 'It is still to be sent.' : undefined;
}
