import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { deliveryWords } from '../../../src/contract/deliveries.ts';
import { fileSize } from '../../../src/shared/text.ts';
import { basePath, client } from '../app/data/client.ts';
import { Written } from '../parts/entries.tsx';
import { Moment } from '../parts/moment.tsx';
import { offerUndo } from '../parts/offer-undo.tsx';
import sheet from '../parts/sheet.module.css';
import { tellError } from '../parts/tell.ts';
import { capital } from '../parts/words.ts';
import type { SeenDraft } from './reply-outbox.ts';
import styles from './thread.module.css';
import { type Message, reloadThread } from './thread-queries.ts';

interface MessageViewProps {
  readonly message: Message;
  readonly visitorName: string;
  /** Puts a proposed reply into the field, to change it before it is sent. */
  readonly onEdit: (seen: SeenDraft) => void;
}

/** A message, with the reply that is proposed for it. */
export function MessageView({ message, visitorName, onEdit }: MessageViewProps) {
  const { ai_draft: draft, attachments, delivery } = message;
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
      <MessageText message={message} />
      {attachments && <MailParts id={message.id} attachments={attachments} />}
      {delivery && <Delivery message={message} delivery={delivery} />}
      {draft !== null && <ProposedReply message={message} draft={draft} onEdit={onEdit} />}
    </article>
  );
}

/** The text of a message. What a mail quotes of the mails before it is folded. */
function MessageText({ message: { content, quoted_from: end = null } }: Pick<MessageViewProps, 'message'>) {
  return (
    <>
      <Written>{content.slice(0, end ?? undefined)}</Written>
      {end !== null && (
        <details>
          <summary className={sheet.quiet}>Quoted text</summary>
          <Written>{content.slice(end)}</Written>
        </details>
      )}
    </>
  );
}

interface MailPartsProps {
  readonly id: number;
  readonly attachments: NonNullable<Message['attachments']>;
}

/** The files of a mail, and the mail itself, to download. */
function MailParts({ id, attachments }: MailPartsProps) {
  const path = `${basePath}/api/admin/messages`;
  return (
    <ul className={styles.meta} aria-label="Files of the mail">
      {attachments.map(({ part, name, bytes }) => (
        <li key={part}>
          <a className={styles.link} href={`${path}/attachment?id=${id}&part=${part}`} download>
            <bdi>{name}</bdi>
          </a>{' '}
          {fileSize(bytes)}
        </li>
      ))}
      <li>
        <a className={styles.link} href={`${path}/source?id=${id}`} download>
          Show original
        </a>
      </li>
    </ul>
  );
}

interface DeliveryProps {
  readonly message: Message;
  readonly delivery: NonNullable<Message['delivery']>;
}

/** What became of the mail of a reply, and why. One that failed can be sent again. */
function Delivery({ message: { id, conversation_id: of }, delivery: { state, error } }: DeliveryProps) {
  const retry = useMutation({
    mutationFn: () => client.call('messages.retry', { id }),
    onError: tellError,
    onSettled: () => reloadThread(of),
  });
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

interface ProposedReplyProps extends Pick<MessageViewProps, 'message' | 'onEdit'> {
  readonly draft: string;
}

/** What was proposed, as it is sent if one approves it: a draft that a colleague has changed meanwhile is not. */
function ProposedReply({ message: { id, conversation_id: of }, draft, onEdit }: ProposedReplyProps) {
  const seen = { id, draft };
  const handlers = { onError: tellError, onSettled: () => reloadThread(of) };
  const approve = useMutation({
    mutationFn: ({ id, draft }: SeenDraft) =>
      client.call('messages.create', { approve: id, conversation_id: of, expected: { ai_draft: draft } }),
    ...handlers,
  });
  const propose = ({ id }: SeenDraft, to: string | null, from: string | null) =>
    client.call('messages.updateDraft', { id, ai_draft: to, expected: { ai_draft: from } });
  const reject = useMutation({
    mutationFn: (seen: SeenDraft) => propose(seen, null, seen.draft),
    onSuccess: (_answer, seen) =>
      offerUndo('Proposed reply rejected', () =>
        propose(seen, seen.draft, null).finally(() => reloadThread(of)),
      ),
    ...handlers,
  });
  const isBusy = approve.isPending || reject.isPending;
  const small = { size: 'compact-sm', disabled: isBusy } as const;
  return (
    <section className={styles.proposed} aria-label="Proposed reply">
      <p className={styles.meta}>Proposed reply, not sent</p>
      <Written>{draft}</Written>
      <div className={sheet.row}>
        <Button {...small} loading={approve.isPending} onClick={() => approve.mutate(seen)}>
          Send
        </Button>
        <Button {...small} variant="default" onClick={() => onEdit(seen)}>
          Edit
        </Button>
        <Button {...small} variant="default" loading={reject.isPending} onClick={() => reject.mutate(seen)}>
          Reject
        </Button>
      </div>
    </section>
  );
}
