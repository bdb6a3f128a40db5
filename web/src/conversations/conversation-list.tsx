import { Button, Select, Switch } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { Failure } from '../parts/failure.tsx';
import { Moment } from '../parts/moment.tsx';
import { Note } from '../parts/note.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { type Conversation, conversationsQuery } from './conversation-queries.ts';
import styles from './conversations-page.module.css';

const route = getRouteApi('/signed-in/conversations');

/** The conversations of the filter, with the one that is open. */
export function ConversationList() {
  const { id, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(conversationsQuery(filter));
  const conversations = list.data?.pages.flatMap((page) => page.conversations) ?? [];
  const setFilter = (part: Partial<typeof filter>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  return (
    <section className={styles.list} aria-label="Conversations">
      <header className={styles.listHead}>
        <h2 className={styles.listTitle}>Conversations</h2>
        <SearchField label="Search conversations" text={filter.q} onChange={(q) => setFilter({ q })} />
        <div className={styles.filters}>
          <Select
            aria-label="Status"
            placeholder="Any status"
            data={conversationStatuses}
            value={filter.status ?? null}
            clearable
            clearButtonProps={{ 'aria-label': 'Any status' }}
            onChange={(status) => setFilter({ status: status ?? undefined })}
          />
          <Switch
            label="Unread"
            checked={filter.unread === 'true'}
            onChange={({ currentTarget: { checked } }) => setFilter({ unread: checked ? 'true' : undefined })}
          />
        </div>
      </header>
      {list.isError && conversations.length === 0 && (
        <Failure error={list.error} retry={() => void list.refetch()} />
      )}
      {list.isSuccess && conversations.length === 0 && <Note title="No conversation matches" />}
      <ul className={styles.items}>
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <Item conversation={conversation} isOpen={conversation.id === id} />
          </li>
        ))}
        {list.hasNextPage && (
          <li className={styles.more}>
            <Button
              variant="default"
              size="compact-sm"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              Show more
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
}

function Item({ conversation, isOpen }: { readonly conversation: Conversation; readonly isOpen: boolean }) {
  const {
    id,
    visitor_name: name,
    subject,
    last_message: last,
    unread_count: unread,
    updated_at: at,
  } = conversation;
  return (
    <Link
      to="/conversations"
      search={(before) => ({ ...before, id })}
      className={styles.item}
      data-active={isOpen || undefined}
      aria-current={isOpen ? 'true' : undefined}
    >
      <span className={styles.name}>
        {name}
        {unread > 0 && <span className={styles.unread}>{unread} unread</span>}
      </span>
      <span className={styles.subject}>{subject}</span>
      <span className={styles.last}>{last}</span>
      <span className={styles.when}>
        <Moment at={at} />
      </span>
    </Link>
  );
}
