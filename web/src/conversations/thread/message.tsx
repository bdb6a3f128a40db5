import { Button } from '@mantine/core';
import { fileSize } from '../../../../src/shared/text.ts';
import { basePath } from '../../app/data/client.ts';
import { Moment } from '../../parts/time/moment.tsx';
import type { Message } from '../conversation-queries.ts';
import type { SeenDraft } from '../reply/use-draft.ts';
import { Delivery } from './delivery.tsx';
import { useDraftActions } from './draft-actions.ts';
import styles from './message.module.css';

interface MessageViewProps {
  readonly message: Message;
  readonly visitorName: string;
  /** Puts a proposed reply into the field, to change it before it is sent. */
  readonly onEdit: (seen: SeenDraft) => void;
}

/** A message, with the reply that is proposed for it. */
export function MessageView({ message, visitorName, onEdit }: MessageViewProps) {
  const author = message.sender_type === 'visitor' ? visitorName : (message.sent_by ?? 'Team');
  return (
    <article className={styles.message} data-from={message.sender_type}>
      <p className={styles.meta}>
        <bdi className={styles.author}>{author}</bdi>
        <Moment at={message.created_at} form="time" />
        {message.from_draft_of !== null && <span>from a proposed reply</span>}
      </p>
      <MessageText message={message} />
      {message.attachments && <MailParts id={message.id} attachments={message.attachments} />}
      {message.delivery && <Delivery message={message} delivery={message.delivery} />}
      {message.ai_draft !== null && (
        <ProposedReply message={message} draft={message.ai_draft} onEdit={onEdit} />
      )}
    </article>
  );
}

/** The text of a message. What a mail quotes of the mails before it is folded. */
function MessageText({ message: { content, quoted_from = null } }: Pick<MessageViewProps, 'message'>) {
  return (
    <>
      <p className={styles.text} dir="auto">
        {content.slice(0, quoted_from ?? undefined)}
      </p>
      {quoted_from !== null && (
        <details>
          <summary className={styles.fold}>Quoted text</summary>
          <p className={styles.text} dir="auto">
            {content.slice(quoted_from)}
          </p>
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
    <ul className={styles.files} aria-label="Files of the mail">
      {attachments.map(({ part, name, bytes }) => (
        <li key={part}>
          <a href={`${path}/attachment?id=${id}&part=${part}`} download>
            <bdi>{name}</bdi>
          </a>{' '}
          <span>{fileSize(bytes)}</span>
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

interface ProposedReplyProps extends Pick<MessageViewProps, 'message' | 'onEdit'> {
  readonly draft: string;
}

/** What was proposed, as it is sent if one approves it: a draft that a colleague has changed meanwhile is not. */
function ProposedReply({ message, draft, onEdit }: ProposedReplyProps) {
  const { approve, reject } = useDraftActions(message.conversation_id);
  const seen = { id: message.id, draft };
  const isBusy = approve.isPending || reject.isPending;
  return (
    <section className={styles.proposed} aria-label="Proposed reply">
      <p className={styles.meta}>Proposed reply, not sent</p>
      <p className={styles.text} dir="auto">
        {draft}
      </p>
      <div className={styles.buttons}>
        <Button
          size="compact-sm"
          loading={approve.isPending}
          disabled={isBusy}
          onClick={() => approve.mutate(seen)}
        >
          Send
        </Button>
        <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => onEdit(seen)}>
          Edit
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          loading={reject.isPending}
          disabled={isBusy}
          onClick={() => reject.mutate(seen)}
        >
          Reject
        </Button>
      </div>
    </section>
  );
}
