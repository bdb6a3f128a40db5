import { Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type KeyboardEvent, Suspense, useRef } from 'react';
import { pressedKey } from '../../app/commands/pressed-key.ts';
import { lazyPart } from '../../app/lazy-part.ts';
import { ConnectLink } from '../../parts/connect-link.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Note } from '../../parts/note.tsx';
import { MoreButton } from '../../parts/table/more-button.tsx';
import { useStaysInView } from '../../parts/table/use-stays-in-view.ts';
import { conversationsQuery } from '../conversation-queries.ts';
import type { ConversationSearch } from '../conversation-search.ts';
import { useUnsentReplies } from '../reply/outbox.ts';
import { ConversationFilters } from './conversation-filters.tsx';
import { ConversationItem } from './conversation-item.tsx';
import styles from './conversation-list.module.css';
import { useSelection } from './use-selection.ts';
import { useWithOpen } from './use-with-open.ts';

const SelectedConversations = lazyPart(() => import('./selected-conversations.tsx'), 'SelectedConversations');

const route = getRouteApi('/signed-in/conversations');
const placeholders = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** The conversations of the filter, with the one that is open. */
export function ConversationList() {
  const { id: open, show: _show, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(conversationsQuery(filter));
  const loaded = list.data?.pages.flatMap((page) => page.conversations) ?? [];
  const conversations = useWithOpen(loaded, open, filter);
  const ids = conversations.map(({ id }) => id);
  const { selected, toggle, clear } = useSelection(ids);
  const unsent = new Set(useUnsentReplies().map(({ conversationId }) => conversationId));
  const items = useRef<HTMLUListElement>(null);
  useStaysInView(items, () => {
    items.current?.querySelector('li:focus-within')?.scrollIntoView({ block: 'nearest' });
  });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);

  function setFilter(part: Partial<ConversationSearch>): void {
    clear();
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-item]')];
    const index = links.findIndex((link) => link.parentElement?.contains(document.activeElement));
    const link = links[index];
    if (link === undefined) return;
    const key = pressedKey(event);
    if (key === 'ArrowDown' || key === 'j') links[index + 1]?.focus();
    else if (key === 'ArrowUp' || key === 'k') links[index - 1]?.focus();
    else if (key.toLowerCase() === 'x') {
      link.scrollIntoView({ block: 'nearest' });
      toggle(link.dataset.item ?? '', event.shiftKey);
    } else return;
    event.preventDefault();
  }

  return (
    <section className={styles.list} aria-label="Conversations">
      <header className={styles.head}>
        <h2 className={styles.title}>Conversations</h2>
        <ConversationFilters filter={filter} onChange={setFilter} />
      </header>
      {list.isError && conversations.length === 0 && (
        <Failure error={list.error} retry={() => void list.refetch()} />
      )}
      {list.isSuccess && conversations.length === 0 && (
        <Note
          title={isFiltered ? 'No conversation matches' : 'No conversation yet'}
          action={
            isFiltered
              ? { label: 'Clear the filters', run: () => void navigate({ search: { id: open } }) }
              : undefined
          }
        >
          {isFiltered ? undefined : (
            <>
              Conversations appear here when visitors write. <ConnectLink />
            </>
          )}
        </Note>
      )}
      {list.isPending && (
        <div className={styles.items} aria-hidden="true" data-loading>
          {placeholders.map((placeholder) => (
            <Skeleton key={placeholder} height={56} radius={0} className={styles.placeholder ?? ''} />
          ))}
        </div>
      )}
      <ul
        ref={items}
        className={styles.items}
        data-selecting={selected.size > 0 || undefined}
        hidden={conversations.length === 0}
        onKeyDown={onKeyDown}
      >
        {conversations.map((conversation) => (
          <ConversationItem
            key={conversation.id}
            conversation={conversation}
            isOpen={conversation.id === open}
            isSelected={selected.has(conversation.id)}
            hasUnsent={unsent.has(conversation.id)}
            onSelect={(isRange) => toggle(conversation.id, isRange)}
          />
        ))}
        {list.hasNextPage && (
          <li className={styles.more}>
            <MoreButton list={list}>Show more</MoreButton>
          </li>
        )}
      </ul>
      {selected.size > 0 && (
        <Suspense>
          <SelectedConversations ids={selected} onClear={clear} />
        </Suspense>
      )}
    </section>
  );
}
