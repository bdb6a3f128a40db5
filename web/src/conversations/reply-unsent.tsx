import { Button } from '@mantine/core';
import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import { useSession } from '../app/session/session.ts';
import { Written } from '../parts/entries.tsx';
import { Moment } from '../parts/moment.tsx';
import sheet from '../parts/sheet.module.css';
import { type Draft, removeReply, sendReply, type UnsentReply, useSendingKeys } from './reply-outbox.ts';
import styles from './thread.module.css';
import type { Message } from './thread-queries.ts';

interface UnsentReplyViewProps {
  readonly reply: UnsentReply;
  /** The messages that the service has. */
  readonly messages: readonly Message[];
  /** Puts the text of the reply into the field again. */
  readonly onEdit: (draft: Draft) => void;
}

/** A reply that the service has not confirmed, with what to do if it could not be sent. */
export function UnsentReplyView({ reply, messages, onEdit }: UnsentReplyViewProps) {
  const { admin } = useSession();
  const isSending = useSendingKeys().has(reply.key);
  // An edited proposal that a colleague has changed or sent would be refused each time.
  const isTaken = reply.approves !== undefined && reply.outcome === 'refused';
  const remove = () => removeReply(admin.id, reply.key);

  function send(): void {
    const { approves: _approves, ...own } = reply;
    if (isTaken) remove();
    // Another request needs another key.
    sendReply(admin.id, isTaken ? { ...own, key: newIdempotencyKey() } : reply);
  }

  function edit(): void {
    remove();
    onEdit({ text: reply.content });
  }

  // The message can be there before the answer to its request is, and must not be seen twice.
  if (isSending && hasArrived(reply, messages)) return null;
  return (
    <article className={styles.message} data-from="admin" data-unsent>
      <p className={styles.meta} role={isSending ? undefined : 'alert'}>
        {isSending ? 'Sending…' : stateOf(reply)}
      </p>
      <Written>{reply.content}</Written>
      {!isSending && (
        <>
          <p className={styles.meta}>
            <span>
              Written <Moment at={new Date(reply.writtenAt).toISOString()} />
            </span>
          </p>
          <div className={sheet.row}>
            <Button size="compact-sm" onClick={send}>
              {isTaken ? 'Send my text' : 'Try again'}
            </Button>
            <Button size="compact-sm" variant="default" onClick={edit}>
              Edit
            </Button>
          </div>
        </>
      )}
    </article>
  );
}

function hasArrived({ content, after }: UnsentReply, messages: readonly Message[]): boolean {
  return messages.some(
    (message) => message.id > after && message.sender_type === 'admin' && message.content === content,
  );
}

/** Says why a reply is not sent, and what happens next. */
function stateOf({ problem, outcome }: UnsentReply): string {
  if (problem === undefined) return 'Not confirmed. If it is not among the messages, try again.';
  return outcome === 'waiting' ? `Not sent yet. ${problem}` : `Not sent. ${problem}`;
}
