import { useInfiniteQuery } from '@tanstack/react-query';
import { Entries, EntryNote } from '../parts/entries.tsx';
import { Failure } from '../parts/failure.tsx';
import { MoreButton } from '../parts/table/more-button.tsx';
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
      {list.isPending && <EntryNote>Loading the comments…</EntryNote>}
      {list.isError && comments.length === 0 && (
        <Failure error={list.error} retry={() => void list.refetch()} />
      )}
      <MoreButton list={list} className={styles.earlier ?? ''}>
        Show earlier comments
      </MoreButton>
      {comments.length > 0 && (
        <Entries>
          {comments.map((comment) => (
            <li key={comment.id}>
              <CommentView comment={comment} subject={subject} />
            </li>
          ))}
        </Entries>
      )}
      {/* After them, so that it does not move when they come. */}
      {!list.isPending && <CommentForm subject={subject} />}
    </section>
  );
}
