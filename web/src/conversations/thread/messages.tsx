import { Button } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { client } from '../../app/data/client.ts';
import { useSession } from '../../app/session/session.ts';
import { offerUndo } from '../../parts/changes/offer-undo.tsx';
import { formatCount } from '../../parts/numbers.ts';
import { type Message, reloadConversations, type ThreadConversation } from '../conversation-queries.ts';
import { newReply, sendReply, useUnsentReplies } from '../reply/outbox.ts';
import { ReplyForm } from '../reply/reply-form.tsx';
import { UnsentReplies } from '../reply/unsent-replies.tsx';
import { type Draft, emptyDraft, useDraft } from '../reply/use-draft.ts';
import { dayOf } from './day-of.ts';
import { MessageView } from './message.tsx';
import styles from './thread.module.css';
import { useLogScroll } from './use-log-scroll.ts';
import { useSeen } from './use-seen.ts';

/** How near to the start earlier messages are loaded, in pixels. */
const nearStartPx = 200;

interface MessagesProps {
  readonly conversation: ThreadConversation;
  readonly messages: readonly Message[];
  /** The button that loads earlier messages. */
  readonly earlier: ReactNode;
  readonly onNearStart: () => void;
}

/** The messages, those that are not sent yet, and the field for the next one. */
export function Messages({ conversation, messages, earlier, onNearStart }: MessagesProps) {
  const { id, visitor_name: name, unread_count: unread } = conversation;
  const { admin } = useSession();
  const [draft, write] = useDraft(id);
  const unsent = useUnsentReplies(id);
  const line = useRef<HTMLParagraphElement>(null);
  const { log, content, isAtEnd, toEnd, onScroll } = useLogScroll(line);
  const isVisible = useDocumentVisibility() === 'visible';
  const isLooking = isAtEnd && isVisible;
  const { firstNew, unseen, clear } = useSeen(messages, isLooking);
  const newest = messages.at(-1)?.id;

  useEffect(() => {
    if (isLooking && newest !== undefined && unread > 0) void markRead(id, newest);
  }, [id, newest, unread, isLooking]);

  /** Puts a text into the field. One that was there can be brought back. */
  function replace(next: Draft): void {
    write(next);
    if (draft.text.trim() !== '' && draft.text !== next.text)
      offerUndo('Your draft was replaced.', async () => write(draft));
  }

  function send(): void {
    sendReply(admin.id, newReply(id, draft, newest ?? 0));
    write(emptyDraft);
    clear();
    toEnd();
  }

  return (
    <>
      <div className={styles.logFrame}>
        <div
          ref={log}
          className={styles.log}
          role="log"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable with the keyboard.
          tabIndex={0}
          aria-label="Messages"
          onScroll={({ currentTarget: { scrollTop } }) => {
            onScroll();
            if (scrollTop < nearStartPx) onNearStart();
          }}
        >
          <div ref={content} className={styles.messages}>
            {earlier}
            {messages.map((message, index) => {
              const day = dayOf(message.created_at);
              const previous = messages[index - 1];
              return (
                <Fragment key={message.id}>
                  {(previous === undefined || dayOf(previous.created_at) !== day) && (
                    <p className={styles.day}>{day}</p>
                  )}
                  {message.id === firstNew && (
                    <p ref={line} className={styles.newLine}>
                      new
                    </p>
                  )}
                  <MessageView
                    message={message}
                    visitorName={name}
                    onEdit={(approves) => replace({ text: approves.draft, approves })}
                  />
                </Fragment>
              );
            })}
            <UnsentReplies messages={messages} replies={unsent} onEdit={replace} />
          </div>
        </div>
        {unseen > 0 && (
          <Button className={styles.toEnd ?? ''} size="compact-sm" radius="xl" onClick={toEnd}>
            {formatCount(unseen)} new ↓
          </Button>
        )}
      </div>
      <ReplyForm conversation={conversation} draft={draft} onWrite={write} onSend={send} />
    </>
  );
}

/** Marks what is on the screen as read. A failure is not worth a message: the next look tries again. */
async function markRead(id: string, upTo: number): Promise<void> {
  await client.call('conversations.read', { id, up_to: upTo }).catch(() => undefined);
  await reloadConversations(id);
}
