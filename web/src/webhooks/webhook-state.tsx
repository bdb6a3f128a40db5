import { Mark } from '../parts/mark.tsx';
import { Moment } from '../parts/time/moment.tsx';
import type { Webhook } from './webhook-queries.ts';
import { stateOf } from './webhook-words.ts';
import styles from './webhooks-page.module.css';

/** Whether a webhook works, and since when it does not. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const state = stateOf(webhook);
  return (
    <span className={styles.state}>
      <Mark word={state} />
      {state === 'Failing' && webhook.failing_since !== null && (
        <span className={styles.quiet}>
          since <Moment at={webhook.failing_since} />
        </span>
      )}
    </span>
  );
}
