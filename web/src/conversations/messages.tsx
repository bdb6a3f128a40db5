import { useMutationState } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { client } from '../app/client.ts';
import { type Message, reloadConversations, type ThreadConversation } from './conversation-queries.ts';
import styles from './conversations-page.module.css';
import { MessageView } from './message.tsx';
import { newReply, removeReply, useSendReply, useUnsentReplies } from './outbox.ts';
import { ReplyForm } from './reply-form.tsx';
import { UnsentReplyView } from './unsent-reply.tsx';
import { useDraft } from './use-draft.ts';

interface MessagesProps {
  readonly conversation: ThreadConversation;
  readonly messages: readonly Message[];
  /** The button that loads earlier messages. */
  readonly earlier: ReactNode;
}

/** The messages, those that are not sent yet, and the field for the next one. */
export function Messages({
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
