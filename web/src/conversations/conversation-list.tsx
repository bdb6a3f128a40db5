import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useActions } from '../kit/actions.ts';
import { Filters } from '../kit/filters.tsx';
import { useGo } from '../kit/go.ts';
import type { Column } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { Views } from '../kit/views.tsx';
import { NewsButton } from '../parts/more-button.tsx';
import { ConnectLink } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';
import { useConversationActions } from './conversation-actions.ts';
import { ConversationItem, itemHeight } from './conversation-item.tsx';
import { type Conversation, conversations } from './conversation-resource.ts';
import type { useConversationList } from './conversation-rows.ts';
import styles from './conversations.module.css';

/* Loaded on demand: the list is usable without them. */
const BulkBar = lazyPart(() => import('../kit/bulk.tsx'), 'BulkBar');
const LabelConversation = lazyPart(() => import('./label-conversation.tsx'), 'LabelConversation');

const views = [
  { title: 'All', filter: {} },
  { title: 'Mine', filter: { assignee: 'me' } },
  { title: 'Unassigned', filter: { assignee: 'none' } },
] as const;
/** The list has one column of items. */
const columns: readonly Column<Conversation>[] = [
  { field: 'subject', phone: 'title', cell: (row) => <ConversationItem conversation={row} /> },
];
const more = [{ label: 'Mark as read', set: { read: true } }];
const hrefOf = ({ id }: Conversation) => ({ id, show: undefined });

interface ConversationListProps {
  readonly list: ReturnType<typeof useConversationList>;
  /** The open conversation. */
  readonly open: string | undefined;
}

/** The conversations that a filter finds, with what can be done with one, or with the selected ones. */
export function ConversationList({ list, open }: ConversationListProps) {
  const { filter, newRows, onScroll } = list;
  const { isAll, ids } = list.selection;
  const [labelled, setLabelled] = useState<Conversation>();
  const actions = useConversationActions(setLabelled);
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
        <h1 className={sheet.title}>Conversations</h1>
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
          href={hrefOf}
          current={open}
          isSelectable
          actions={actions}
          nameOf={({ visitor_name, visitor_email }) =>
            `the conversation with ${visitor_name || visitor_email}`
          }
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
function useKeysOfOpen(open: string | undefined, actions: ReturnType<typeof useConversationActions>): void {
  const { data: row } = useQuery({ ...conversations.oneQuery(open ?? ''), enabled: open !== undefined });
  const actionsOf = useActions(conversations, actions);
  const usable = row ? actionsOf(row) : [];
  useShortcuts(
    'Open conversation',
    usable.flatMap(({ label, key, run }) => (key === undefined ? [] : [{ keys: key, title: label, run }])),
  );
}
