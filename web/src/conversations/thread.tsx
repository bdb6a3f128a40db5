import { Button, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation, useMutationState } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/client.ts';
import { Failure, sentenceOf } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { Note } from '../parts/note.tsx';
import { type Message, reloadConversations, type Thread, threadQuery } from './conversation-queries.ts';
import styles from './conversations-page.module.css';
import { MessageView } from './message.tsx';
import { newReply, removeReply, useSendReply, useUnsentReplies } from './outbox.ts';
import { ReplyForm } from './reply-form.tsx';
import { UnsentReplyView } from './unsent-reply.tsx';
import { useDraft } from './use-draft.ts';

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

type ThreadConversation = NonNullable<Thread['conversation']>;

function ThreadHead({ conversation }: { readonly conversation: ThreadConversation }) {
  const { id, subject, visitor_name: name, status } = conversation;
  const change = useMutation({
    mutationFn: (to: string) =>
      client.call('conversations.changeStatus', { id, status: to, expected: { status } }),
    onError: (error) => notifications.show({ color: 'red', message: sentenceOf(error), role: 'alert' }),
    onSettled: () => reloadConversations(id),
  });
  return (
    <header className={styles.threadHead}>
      <Link to="/conversations" search={(before) => ({ ...before, id: undefined })} className={styles.back}>
        <Icon name="back" /> All
      </Link>
      <h2 className={styles.threadTitle}>{subject || name}</h2>
      <Select
        aria-label="Status of the conversation"
        data={conversationStatuses}
        value={status}
        allowDeselect={false}
        className={styles.status ?? ''}
        onChange={(to) => to && change.mutate(to)}
      />
    </header>
  );
}

interface MessagesProps {
  readonly conversation: ThreadConversation;
  readonly messages: readonly Message[];
  readonly earlier: React.ReactNode;
}

function Messages({
  conversation: { id, visitor_name: name, unread_count: unread },
  messages,
  earlier,
}: MessagesProps) {
  const [draft, write] = useDraft(id);
  const unsent = useUnsentReplies(id);
  const send = useSendReply(id);
  const sending = useMutationState({
    filters: { mutationKey: ['conversations', 'reply', id], status: 'pending' },
    select: ({ state }) => (state.variables as { readonly key: string }).key,
  });
  const log = useRef<HTMLDivElement>(null);
  const newest = messages.at(-1)?.id;

  useEffect(() => {
    if (newest !== undefined && unread > 0) void markRead(id, newest);
  }, [id, newest, unread]);
  // A new message is what one wants to see.
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [newest, unsent.length]);

  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable with the keyboard. */}
      <div ref={log} className={styles.messages} role="log" tabIndex={0} aria-label="Messages">
        {earlier}
        {messages.map((message) => (
          <MessageView key={message.id} message={message} visitorName={name} onEdit={write} />
        ))}
        {unsent.map((reply) => (
          <UnsentReplyView
            key={reply.key}
            reply={reply}
            isSending={sending.includes(reply.key)}
            onRetry={() => send.mutate(reply)}
            onEdit={() => {
              removeReply(id, reply.key);
              write(reply.content);
            }}
          />
        ))}
      </div>
      <ReplyForm
        text={draft}
        onWrite={write}
        onSend={(text) => {
          send.mutate(newReply(text));
          write('');
        }}
      />
    </>
  );
}

/** Marks what is on the screen as read. A failure is not worth a message: the next look tries again. */
async function markRead(id: string, upTo: number): Promise<void> {
  await client.call('conversations.read', { id, up_to: upTo }).catch(() => undefined);
  await reloadConversations(id);
}

function Visitor({ thread: { conversation, issues } }: { readonly thread: Thread }) {
  return (
    <aside className={styles.visitor} aria-label="Visitor">
      <h2 className={styles.threadTitle}>{conversation?.visitor_name}</h2>
      <p className={styles.text}>{conversation?.visitor_email}</p>
      <h3 className={styles.heading}>Issues</h3>
      {issues.length === 0 && <p className={styles.meta}>None</p>}
      <ul className={styles.issues}>
        {issues.map(({ id, title }) => (
          <li key={id}>
            <Link to="/issues" search={{ issue: id }} className={styles.link}>
              {id} {title}
            </Link>
          </li>
        ))}
      </ul>
    </aside>
  );
}
