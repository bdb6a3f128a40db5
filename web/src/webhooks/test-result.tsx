import { Loader } from '@mantine/core';
import { Dialog } from '../form/dialog.tsx';
import { DialogContent } from '../parts/dialogs/dialog-layout.tsx';
import { DeliveryFacts } from './delivery-facts.tsx';
import type { Delivery, Webhook } from './webhook-queries.ts';
import styles from './webhooks-page.module.css';

interface TestResultProps {
  readonly webhook: Webhook;
  /** Undefined while the receiver has not answered. */
  readonly delivery: Delivery | undefined;
  readonly onClose: () => void;
}

/** What the receiver has answered to a test message. */
export function TestResult({ webhook, delivery, onClose }: TestResultProps) {
  return (
    <Dialog opened onClose={onClose} title="Test message" size="lg">
      {delivery === undefined ? (
        <p className={styles.waiting} role="status">
          <Loader size="sm" /> Waiting for the answer of {webhook.url}
        </p>
      ) : (
        <DialogContent>
          <p className={styles.text} role="status">
            {delivery.status === 'succeeded'
              ? 'The receiver has accepted the message.'
              : 'The message was not accepted. It is not sent again.'}
          </p>
          <DeliveryFacts delivery={delivery} />
        </DialogContent>
      )}
    </Dialog>
  );
}
