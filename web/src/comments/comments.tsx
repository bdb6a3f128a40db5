import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Failure } from '../parts/failure.tsx';
import { CommentForm } from './comment-form.tsx';
import { type CommentSubject, commentsQuery } from './comment-queries.ts';
import { CommentView } from './comment-view.tsx';
import styles from './comments.module.css';

interface CommentsProps {
  /** A component for another subject needs a `key`. */
  readonly subject: CommentSubject;
}

/** The comments of the team on an issue or a conversation, oldest first, with a field for another one. */
export function Comments({ subject }: CommentsProps) {
  const list = useInfiniteQuery(commentsQuery(subject));
  const comments = (list.data?.pages ?? []).toReversed().flatMap((page) => page.comments);
  return (
    <section className={styles.comments} aria-label="Comments">
      {list.isPending && <p className={styles.meta}>Loading the comments…</p>}
      {list.isError && comments.length === 0 && (
        <Failure error={list.error} retry={() => void list.refetch()} />
      )}
      {list.hasNextPage && (
        <Button
          className={styles.earlier ?? ''}
          size="compact-sm"
          variant="default"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show earlier comments
        </Button>
      )}
      {comments.length > 0 && (
        <ol className={styles.list}>
          {comments.map((comment) => (
            <li key={comment.id}>
              <CommentView comment={comment} subject={subject} />
            </li>
          ))}
        </ol>
      )}
      <CommentForm subject={subject} />
    </section>
  );
}
