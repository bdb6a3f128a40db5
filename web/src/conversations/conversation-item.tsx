import { VisuallyHidden } from '@mantine/core';
import { useSession } from '../app/session/session.ts';
import { nameOf } from '../kit/admins.ts';
import { Mark } from '../parts/mark.tsx';
import { Moment } from '../parts/moment.tsx';
import { formatCount } from '../parts/numbers.ts';
import sheet from '../parts/sheet.module.css';
import { capital } from '../parts/words.ts';
import type { Conversation } from './conversation-resource.ts';
import styles from './conversations.module.css';
import { useUnsentReplies } from './reply-outbox.ts';

/** The height of an item in the list. */
export const itemHeight = 80;

/** A conversation of the list: who wrote, what about, and the last message. The checkbox of its row is over the initials. */
export function ConversationItem({ conversation }: { readonly conversation: Conversation }) {
  const { id, subject, status, labels = [], assignee, unread_count: unread } = conversation;
  const name = conversation.visitor_name || conversation.visitor_email;
  const { id: me } = useSession().admin;
  const isUnsent = useUnsentReplies(id).length > 0;
  return (
    <span className={styles.item} data-unread={unread > 0 || undefined}>
      <span className={styles.initials} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className={styles.line}>
        <bdi className={styles.name}>{name}</bdi>
        <span className={sheet.small}>
          <Moment at={conversation.updated_at} form="short" />
        </span>
      </span>
      <span className={styles.line}>
        <span className={styles.subject} dir="auto" data-missing={subject === '' || undefined}>
          {subject || 'No subject'}
        </span>
        {unread > 0 && (
          <span className={sheet.badge}>
            {formatCount(unread)} <VisuallyHidden>unread</VisuallyHidden>
          </span>
        )}
      </span>
      <span className={styles.line}>
        {labels.map((label) => (
          <bdi key={label} className={`${styles.label} ${sheet.small}`}>
            {label}
          </bdi>
        ))}
        {isUnsent ? (
          <span className={styles.unsent}>Reply not sent</span>
        ) : (
          <span className={styles.last} dir="auto">
            {conversation.last_message}
          </span>
        )}
        {status !== 'open' && <Mark word={capital(status)} />}
        {assignee && (
          <span className={`${styles.assignee} ${sheet.small}`} title={`Assigned to ${nameOf(assignee)}`}>
            {assignee.id === me ? 'You' : nameOf(assignee)}
          </span>
        )}
      </span>
    </span>
  );
}

/** Returns up to two letters that stand for a name, or a sign if it has none. */
function initialsOf(name: string): string {
  const [first = '?', ...others] = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = [first, ...others.slice(-1)].map((word) => [...word][0]);
  return letters.join('').toUpperCase();
}
