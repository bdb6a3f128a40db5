import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../app/lazy-part.ts';
import { useRememberThing } from '../../app/palette/recent-things.ts';
import { Failure } from '../../parts/failure.tsx';
import { conversationEntry } from '../conversation-entry.ts';
import { threadQuery, visitorMailQuery } from '../conversation-queries.ts';
import { Details } from '../visitor/details.tsx';
import { Messages } from './messages.tsx';
import { MissingThread } from './missing-thread.tsx';
import styles from './thread.module.css';
import { ThreadHead } from './thread-head.tsx';
import { ThreadPlaceholder } from './thread-placeholder.tsx';

const MakeIssue = lazyPart(() => import('../visitor/make-issue.tsx'), 'MakeIssue');

const route = getRouteApi('/signed-in/conversations');

/** The messages of a conversation, the reply to it, and what is known of the visitor. */
export function ThreadPane({ id }: { readonly id: string }) {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const thread = useInfiniteQuery(threadQuery(id));
  const newest = thread.data?.pages[0];
  useRememberThing(newest?.conversation ? conversationEntry(newest.conversation) : undefined);
  // Its note above the reply would move the form.
  const mail = useQuery(visitorMailQuery);
  const isWaiting = mail.isLoading && mail.failureCount === 0;
  if (newest === undefined || isWaiting) {
    if (!thread.isError) return <ThreadPlaceholder />;
    return (
      <div className={styles.thread}>
        <Failure error={thread.error} retry={() => void thread.refetch()} />
      </div>
    );
  }
  if (newest.conversation === null) return <MissingThread id={id} />;
  const { hasNextPage, isFetchingNextPage } = thread;
  const pages = thread.data?.pages ?? [];
  // A page that arrives while another is loaded again may overlap it.
  const messages = new Map(
    pages.toReversed().flatMap((page) => page.messages.map((message) => [message.id, message])),
  );
  const loadEarlier = () => {
    if (hasNextPage && !isFetchingNextPage) void thread.fetchNextPage();
  };
  return (
    <>
      <section className={styles.thread} aria-label={`Conversation with ${newest.conversation.visitor_name}`}>
        <ThreadHead conversation={newest.conversation} />
        <Messages
          conversation={newest.conversation}
          messages={[...messages.values()]}
          onNearStart={loadEarlier}
          earlier={
            hasNextPage && (
              <Button
                size="compact-sm"
                variant="default"
                className={styles.earlier ?? ''}
                loading={isFetchingNextPage}
                onClick={loadEarlier}
              >
                Show earlier messages
              </Button>
            )
          }
        />
      </section>
      <Details thread={newest} />
      {show === 'new-issue' && (
        <Suspense>
          <MakeIssue
            conversation={newest.conversation}
            messages={[...messages.values()]}
            onClose={() => void navigate({ search: (before) => ({ ...before, show: undefined }) })}
          />
        </Suspense>
      )}
    </>
  );
}
