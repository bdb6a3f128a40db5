import { Button } from '@mantine/core';
import styles from './conversations-page.module.css';
import type { UnsentReply } from './outbox.ts';

interface UnsentReplyProps {
  readonly reply: UnsentReply;
  readonly isSending: boolean;
  readonly onRetry: () => void;
  readonly onEdit: () => void;
}

/** A reply that the service has not confirmed, with what to do if it could not be sent. */
export function UnsentReplyView({ reply, isSending, onRetry, onEdit }: UnsentReplyProps) {
  return (
    <article className={styles.message} data-from="admin" data-unsent>
      <p className={styles.meta} role={isSending ? undefined : 'alert'}>
        {isSending
          ? 'Sending…'
          : `Not sent. ${reply.problem ?? 'The page was closed before it was confirmed.'}`}
      </p>
      <p className={styles.text}>{reply.content}</p>
      {!isSending && (
        <div className={styles.buttons}>
          <Button size="compact-sm" onClick={onRetry}>
            Try again
          </Button>
          <Button size="compact-sm" variant="default" onClick={onEdit}>
            Edit
          </Button>
        </div>
      )}
    </article>
  );
}
