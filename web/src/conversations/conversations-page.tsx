import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { conversationFilter } from '../app/addresses/searches.ts';
import { commandKey } from '../app/commands/keys.ts';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useSession } from '../app/session/session.ts';
import { useTitle } from '../app/use-title.ts';
import { useActions } from '../kit/actions.ts';
import { nameOf } from '../kit/admins.ts';
import { Filters } from '../kit/filters.tsx';
import { useGo } from '../kit/go.ts';
import type { Action, Column } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { Views } from '../kit/views.tsx';
import { NewsButton } from '../parts/buttons.tsx';
import { Mark } from '../parts/mark.tsx';
import { Moment } from '../parts/moment.tsx';
import { ConnectLink, Note } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';
import { undoLatest } from '../parts/tell.tsx';
import { capital, formatCount } from '../parts/words.ts';
import { useConversationActions } from './conversation-actions.ts';
import { visitorOf } from './conversation-outside.ts';
import { type Conversation, conversations } from './conversation-resource.ts';
import { ConversationRows, useConversationList } from './conversation-rows.ts';
import styles from './conversations.module.css';
import { useUnsentReplies } from './reply-outbox.ts';

const loadThread = () => import('./thread.tsx');
// Before one chooses a conversation. If that fails, the choice tries again.
loadThread().catch(() => undefined);

const route = getRouteApi('/signed-in/conversations');
const focusReply = () => document.querySelector<HTMLElement>('[aria-label="Reply"]')?.focus();
const shortcuts = [
  { keys: 'r', title: 'Write a reply', run: focusReply },
  { keys: `${commandKey} Enter`, title: 'Send the reply' },
  { keys: 'z', title: 'Undo the last change', run: undoLatest, inDialogs: true },
];

/** Stands for a conversation that is being loaded. */
const placeholder = (
  <div className={sheet.stack} aria-hidden="true" data-loading>
    <Skeleton height={36} width="50%" m="md" mb={0} />
    <Skeleton height={64} width="60%" mx="md" />
    <Skeleton height={64} width="60%" ml="auto" mr="md" />
    <Skeleton height={64} width="40%" mx="md" />
  </div>
);

const ThreadPane = lazyPart(loadThread, 'ThreadPane', ({ placeholder }) => placeholder);

/** The list, the thread and the visitor side by side; on a phone, one after the other. */
export function ConversationsPage() {
  const search = route.useSearch();
  const { id } = search;
  const filter = conversationFilter(search);
  const list = useConversationList(filter, id);
  useTitle('Conversations');
  useShortcuts('Conversations', shortcuts);
  return (
    <ConversationRows value={list.rows}>
      <div className={styles.panes} data-thread={id !== undefined || undefined}>
        {/* A phone hides the list, and its title with it, beside an open conversation. */}
        <VisuallyHidden component="h1">Conversations</VisuallyHidden>
        <ConversationList list={list} />
        {id === undefined ? (
          <div className={styles.none}>{list.rows.length > 0 && <Note title="Choose a conversation" />}</div>
        ) : (
          <ThreadPane key={id} id={id} placeholder={placeholder} />
        )}
      </div>
    </ConversationRows>
  );
}

/* Loaded on demand: the list is usable without them. */
const BulkBar = lazyPart(() => import('../kit/bulk.tsx'), 'BulkBar');
const LabelConversation = lazyPart(() => import('./label-conversation.tsx'), 'LabelConversation');

const views = [
  { title: 'All', filter: {} },
  { title: 'Mine', filter: { assignee: 'me' } },
  { title: 'Unassigned', filter: { assignee: 'none' } },
] as const;
/** The list has one column of items, which are as high as this. */
const itemHeight = 80;
const columns: readonly Column<Conversation>[] = [
  { field: 'subject', phone: 'title', cell: (row) => <ConversationItem conversation={row} /> },
];
const more = [{ label: 'Mark as read', set: { read: true } }];

/** The conversations that a filter finds, with what can be done with one, or with the selected ones. */
function ConversationList({ list }: { readonly list: ReturnType<typeof useConversationList> }) {
  const { id: open } = route.useSearch();
  const { filter, newRows, onScroll } = list;
  const { isAll, ids } = list.selection;
  const [labelled, setLabelled] = useState<Conversation>();
  const label = { label: 'Change the labels', key: 'l', run: setLabelled };
  const actions = [...useConversationActions(), label];
  useKeysOfOpen(open, actions);
  const go = useGo();
  return (
    <section
      className={styles.list}
      aria-label="Conversations"
      data-selecting={isAll || ids.size > 0 || undefined}
      onScrollCapture={({ target }) => {
        if (target instanceof Element && target.role === 'grid') onScroll(target.scrollTop === 0);
      }}
    >
      <header className={styles.head}>
        <strong className={sheet.title} aria-hidden="true">
          Conversations
        </strong>
        <Views of="conversations" filter={filter} views={views} />
        <Filters list={{ ...list, newRows: 0 }}>
          <Button
            variant={filter.unread ? 'light' : 'default'}
            aria-pressed={filter.unread !== undefined}
            onClick={() => go({ unread: filter.unread ? undefined : 'true' }, true)}
          >
            Unread
          </Button>
        </Filters>
      </header>
      <div className={styles.items}>
        {newRows > 0 && (
          <NewsButton top={8} onClick={() => document.querySelector('[role="grid"]')?.scrollTo({ top: 0 })}>
            {newRows < 50 ? newRows : '50 or more'} new ↑
          </NewsButton>
        )}
        <Table
          list={list}
          columns={columns}
          href={({ id }) => ({ id, show: undefined })}
          current={open}
          isSelectable
          actions={actions}
          nameOf={(row) => `the conversation with ${visitorOf(row)}`}
          itemHeight={itemHeight}
          empty={{
            title: 'No conversations yet',
            text: (
              <>
                They appear here when visitors write. <ConnectLink />
              </>
            ),
          }}
        />
        {(isAll || ids.size > 0) && <BulkBar list={list} more={more} />}
      </div>
      {labelled && <LabelConversation conversation={labelled} onClose={() => setLabelled(undefined)} />}
    </section>
  );
}

/** Lets the keys of the list act on the open conversation while the list has not the focus. */
function useKeysOfOpen(open: string | undefined, actions: readonly Action<Conversation>[]): void {
  const { data: row } = useQuery({ ...conversations.oneQuery(open ?? ''), enabled: open !== undefined });
  const actionsOf = useActions(conversations, actions);
  const usable = row ? actionsOf(row) : [];
  useShortcuts(
    'Open conversation',
    usable.flatMap(({ label, key, run }) => (key === undefined ? [] : [{ keys: key, title: label, run }])),
  );
}

/** A conversation of the list: who wrote, what about, and the last message. The checkbox of its row is over the initials. */
function ConversationItem({ conversation }: { readonly conversation: Conversation }) {
  const { id, subject, status, labels = [], assignee, unread_count: unread } = conversation;
  const name = visitorOf(conversation);
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
