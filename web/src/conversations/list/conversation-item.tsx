import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { nameOf } from '../../kit/admins.ts';
import { formatCount } from '../../parts/numbers.ts';
import { Moment } from '../../parts/time/moment.tsx';
import type { Conversation } from '../conversation-queries.ts';
import { statusWord } from '../status-words.ts';
import styles from './conversation-item.module.css';
import { initialsOf } from './initials.ts';

interface ConversationItemProps {
  readonly conversation: Conversation;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  /** Whether replies of it are not sent. */
  readonly hasUnsent: boolean;
  readonly onSelect: (isRange: boolean) => void;
}

/** A conversation of the list. Its checkbox is where the initials are, as soon as one points there or selects. */
export function ConversationItem({
  conversation: {
    id,
    visitor_name: name,
    subject,
    last_message: last,
    unread_count: unread,
    updated_at: at,
    status,
    assignee = null,
  },
  isOpen,
  isSelected,
  hasUnsent,
  onSelect,
}: ConversationItemProps) {
  return (
    <li className={styles.row} data-selected={isSelected || undefined}>
      <Checkbox
        size="xs"
        className={styles.check ?? ''}
        aria-label={`Select the conversation with ${name}`}
        checked={isSelected}
        onChange={({ nativeEvent }) => onSelect((nativeEvent as MouseEvent).shiftKey)}
      />
      <Link
        to="/conversations"
        search={(before) => ({ ...before, id, show: undefined })}
        className={styles.item}
        data-item={id}
        data-unread={unread > 0 || undefined}
        data-active={isOpen || undefined}
        aria-current={isOpen ? 'true' : undefined}
      >
        <span className={styles.initials} aria-hidden="true">
          {initialsOf(name)}
        </span>
        <span className={styles.name} dir="auto">
          {name}
        </span>
        <span className={styles.when}>
          <Moment at={at} form="short" />
        </span>
        <span className={styles.subject} dir="auto" data-missing={subject === '' || undefined}>
          {subject || 'No subject'}
        </span>
        {unread > 0 && <span className={styles.unread}>{formatCount(unread)} unread</span>}
        {hasUnsent ? (
          <span className={styles.unsent}>Reply not sent</span>
        ) : (
          <span className={styles.last} dir="auto">
            {last}
          </span>
        )}
        <span className={styles.facts}>
          {status !== 'open' && <span>{statusWord(status)}</span>}
          {assignee !== null && (
            <span className={styles.assignee} title={`Assigned to ${nameOf(assignee)}`}>
              {initialsOf(nameOf(assignee))}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}
