import { Textarea } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRememberThing } from '../app/palette/entries.ts';
import { Failure } from '../parts/failure.tsx';
import sheet from '../parts/sheet.module.css';
import { conversationEntry } from './conversation-outside.ts';
import { conversations } from './conversation-resource.ts';
import { Messages } from './messages.tsx';
import { useDraft, useUnsentReplies } from './reply-outbox.ts';
import styles from './thread.module.css';
import { BackToList, ThreadHead } from './thread-head.tsx';
import { threadQuery, visitorMailQuery } from './thread-queries.ts';
import { Details } from './visitor.tsx';
import { MakeIssue } from './visitor-issues.tsx';

const route = getRouteApi('/signed-in/conversations');

interface ThreadPaneProps {
  readonly id: string;
  /** Stands for the conversation while it is loaded. */
  readonly placeholder: ReactNode;
}

/** The messages of a conversation, the reply to it, and what is known of the visitor. */
export function ThreadPane({ id, placeholder }: ThreadPaneProps) {
  const { show } = route.useSearch();
  const row = useQuery(conversations.oneQuery(id));
  const conversation = row.data;
  const thread = useInfiniteQuery(threadQuery(id));
  useRememberThing(conversation ? conversationEntry(conversation) : undefined);
  // Its note above the reply would move the form.
  const mail = useQuery(visitorMailQuery);
  const isWaiting = mail.isLoading && mail.failureCount === 0;
  if (conversation === null) return <MissingThread id={id} />;
  const error = row.error ?? thread.error;
  if (conversation === undefined || thread.data === undefined || isWaiting) {
    if (error === null) return placeholder;
    return (
      <div className={styles.thread}>
        <Failure error={error} retry={() => void Promise.all([row.refetch(), thread.refetch()])} />
      </div>
    );
  }
  const messages = thread.data.pages.toReversed().flatMap((page) => page.messages);
  return (
    <>
      <section className={styles.thread} aria-label={`Conversation with ${conversation.visitor_name}`}>
        <ThreadHead conversation={conversation} />
        <Messages conversation={conversation} messages={messages} list={thread} />
      </section>
      <Details conversation={conversation} issues={thread.data.pages[0]?.issues ?? []} />
      {show === 'new-issue' && <MakeIssue conversation={conversation} messages={messages} />}
    </>
  );
}

/** Stands for a conversation that does not exist, with what one has written in it. */
function MissingThread({ id }: { readonly id: string }) {
  const [draft] = useDraft(id);
  const texts = [...useUnsentReplies(id).map(({ content }) => content), draft.text].filter(Boolean);
  return (
    <div className={styles.thread}>
      <header className={styles.head}>
        <BackToList />
        <h2 className={styles.title}>There is no such conversation</h2>
      </header>
      <div className={styles.messages}>
        <p className={sheet.text}>It may have been deleted.</p>
        {texts.length > 0 && (
          <Textarea
            label="Your reply, which was not sent"
            w="100%"
            readOnly
            autosize
            minRows={2}
            maxRows={12}
            value={texts.join('\n\n')}
          />
        )}
      </div>
    </div>
  );
}
