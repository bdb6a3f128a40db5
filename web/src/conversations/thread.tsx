import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Failure } from '../parts/failure.tsx';
import { Note } from '../parts/note.tsx';
import { threadQuery } from './conversation-queries.ts';
import styles from './conversations-page.module.css';
import { Messages } from './messages.tsx';
import { ThreadHead } from './thread-head.tsx';
import { Visitor } from './visitor.tsx';

/** The messages of a conversation, and the reply to it. */
export function ThreadPane({ id }: { readonly id: string }) {
  const thread = useInfiniteQuery(threadQuery(id));
  if (thread.isError) return <Failure error={thread.error} retry={() => void thread.refetch()} />;
  const newest = thread.data?.pages[0];
  if (newest === undefined) return null;
  if (newest.conversation === null)
    return <Note title="There is no such conversation">It may have been deleted.</Note>;
  const messages = (thread.data?.pages ?? []).toReversed().flatMap((page) => page.messages);
  return (
    <>
      <section className={styles.thread} aria-label={`Conversation with ${newest.conversation.visitor_name}`}>
        <ThreadHead conversation={newest.conversation} />
        <Messages
          conversation={newest.conversation}
          messages={messages}
          earlier={
            thread.hasNextPage && (
              <Button
                size="compact-sm"
                variant="default"
                loading={thread.isFetchingNextPage}
                onClick={() => void thread.fetchNextPage()}
              >
                Show earlier messages
              </Button>
            )
          }
        />
      </section>
      <Visitor thread={newest} />
    </>
  );
}
