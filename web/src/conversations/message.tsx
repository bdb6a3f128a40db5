import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import { deliveryWords } from '../../../src/contract/deliveries.ts';
import { fileSize } from '../../../src/shared/text.ts';
import { basePath, client } from '../app/data/client.ts';
import { useSession } from '../app/session/session.ts';
import { Written } from '../parts/entries.tsx';
import { Moment } from '../parts/moment.tsx';
import sheet from '../parts/sheet.module.css';
import { offerUndo, tellError } from '../parts/tell.tsx';
import { capital } from '../parts/words.ts';
import { type Message, reloadThread, useThread } from './conversation-resource.ts';
import {
  type Draft,
  removeReply,
  type SeenDraft,
  sendReply,
  type UnsentReply,
  useSendingKeys,
} from './reply-outbox.ts';
import styles from './thread.module.css';

interface PartProps {
  readonly message: Message;
}

interface MessageViewProps extends PartProps {
  readonly visitorName: string;
  /** Puts a text into the field, to change it before it is sent. */
  readonly onEdit: (draft: Draft) => void;
}

/** A message, with the reply that is proposed for it. What a mail quotes of the mails before it is folded. */
export function MessageView({ message, visitorName, onEdit }: MessageViewProps) {
  const { id, content, quoted_from: end = null, ai_draft: draft } = message;
  const author = message.sender_type === 'visitor' ? visitorName : (message.sent_by ?? 'Team');
  return (
    <article className={styles.message} data-from={message.sender_type}>
      <p className={styles.meta}>
        <strong>
          <bdi>{author}</bdi>
        </strong>
        <Moment at={message.created_at} form="time" />
        {message.from_draft_of !== null && <span>from a proposed reply</span>}
      </p>
      <Written>{content.slice(0, end ?? undefined)}</Written>
      {end !== null && (
        <details>
          <summary className={sheet.quiet}>Quoted text</summary>
          <Written>{content.slice(end)}</Written>
        </details>
      )}
      {message.attachments && <MailParts message={message} />}
      {message.delivery && <Delivery message={message} />}
      {draft !== null && <ProposedReply seen={{ id, draft }} of={message.conversation_id} onEdit={onEdit} />}
    </article>
  );
}

/** The files of a mail, and the mail itself, to download. */
function MailParts({ message: { id, attachments } }: PartProps) {
  const path = `${basePath}/api/admin/messages`;
  return (
    <ul className={styles.meta} aria-label="Files of the mail">
      {attachments?.map(({ part, name, bytes }) => (
        <li key={part}>
          <a href={`${path}/attachment?id=${id}&part=${part}`} download>
            <bdi>{name}</bdi>
          </a>{' '}
          {fileSize(bytes)}
        </li>
      ))}
      <li>
        <a href={`${path}/source?id=${id}`} download>
          Show original
        </a>
      </li>
    </ul>
  );
}

/** What became of the mail of a reply, and why. One that failed can be sent again. */
function Delivery({ message: { id, conversation_id: of, delivery } }: PartProps) {
  const retry = useMutation({
    mutationFn: () => client.call('messages.retry', { id }),
    onError: tellError,
    onSettled: () => reloadThread(of),
  });
  if (!delivery) return null;
  const { state, error } = delivery;
  return (
    <div className={sheet.row} role="status">
      <p className={styles.meta} data-state={state}>
        <span>{capital(deliveryWords(state, error))}</span>
        {error !== null && <span dir="auto">{error}</span>}
      </p>
      {state === 'failed' && (
        <Button size="compact-xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
          Send again
        </Button>
      )}
    </div>
  );
}

interface ProposedReplyProps extends Pick<MessageViewProps, 'onEdit'> {
  readonly seen: SeenDraft;
  /** The id of the conversation. */
  readonly of: string;
}

/** What was proposed, as it is sent if one approves it: a draft that a colleague has changed meanwhile is not. */
function ProposedReply({ seen, of, onEdit }: ProposedReplyProps) {
  const { id, draft } = seen;
  const propose = (to: string | null, from: string | null) =>
    client.call('messages.updateDraft', { id, ai_draft: to, expected: { ai_draft: from } });
  const approve = () =>
    client.call('messages.create', { approve: id, conversation_id: of, expected: { ai_draft: draft } });
  async function reject() {
    await propose(null, draft);
    offerUndo('Proposed reply rejected', () => propose(draft, null).finally(() => reloadThread(of)));
  }
  const answer = useMutation({
    mutationFn: (press: () => Promise<unknown>) => press(),
    onError: tellError,
    onSettled: () => reloadThread(of),
  });
  const small = { size: 'compact-sm', disabled: answer.isPending } as const;
  return (
    <section className={styles.proposed} aria-label="Proposed reply">
      <p className={styles.meta}>Proposed reply, not sent</p>
      <Written>{draft}</Written>
      <div className={sheet.row}>
        <Button {...small} onClick={() => answer.mutate(approve)}>
          Send
        </Button>
        <Button {...small} variant="default" onClick={() => onEdit({ text: draft, approves: seen })}>
          Edit
        </Button>
        <Button {...small} variant="default" onClick={() => answer.mutate(reject)}>
          Reject
        </Button>
      </div>
    </section>
  );
}

interface UnsentReplyViewProps extends Pick<MessageViewProps, 'onEdit'> {
  readonly reply: UnsentReply;
}

/** A reply that the service has not confirmed, with what to do if it could not be sent. */
export function UnsentReplyView({ reply, onEdit }: UnsentReplyViewProps) {
  const { messages } = useThread(reply.conversationId);
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
