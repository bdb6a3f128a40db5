import { useDocumentVisibility } from '@mantine/hooks';
import { Fragment, useEffect } from 'react';
import { client, useIsPersonThere } from '../app/data/client.ts';
import { useSession } from '../app/session/session.ts';
import { MoreButton, NewsButton } from '../parts/buttons.tsx';
import { offerUndo } from '../parts/tell.tsx';
import { formatCount } from '../parts/words.ts';
import { type Conversation, conversations, useThread } from './conversation-resource.ts';
import { MessageView, UnsentReplyView } from './message.tsx';
import { ReplyForm } from './reply-form.tsx';
import { type Draft, draftNow, newReply, sendReply, useDraft, useUnsentReplies } from './reply-outbox.ts';
import styles from './thread.module.css';
import { isUnread, useLogScroll, useSeen } from './thread-log.ts';

/** How near to the start earlier messages are loaded, in pixels. */
const nearStartPx = 200;

/** The messages, those that are not sent yet, and the field for the next one. */
export function Messages({ conversation }: { readonly conversation: Conversation }) {
  const { id, visitor_name: name } = conversation;
  const { list, messages } = useThread(id);
  const { admin } = useSession();
  const [draft, write] = useDraft(id);
  const unsent = useUnsentReplies(id);
  const { log, isAtEnd, toEnd, onScroll } = useLogScroll();
  const isVisible = useDocumentVisibility() === 'visible';
  // A screen that nobody looks at reads nothing: what is read is read for the whole team.
  const isLooking = useIsPersonThere() && isVisible && isAtEnd;
  const { firstNew, unseen, clear } = useSeen(messages, isLooking);
  const newest = messages.at(-1)?.id;
  const hasUnread = messages.some(isUnread);

  useEffect(() => {
    if (isLooking && newest !== undefined && hasUnread) void markRead(id, newest);
  }, [id, newest, hasUnread, isLooking]);

  function loadEarlier(): void {
    const isNear = log.current !== null && log.current.scrollTop < nearStartPx;
    if (isNear && list.hasNextPage && !list.isFetching) void list.fetchNextPage();
  }
  // To read the thread again takes the place of a page that is on its way.
  useEffect(() => {
    if (!list.isFetchNextPageError) loadEarlier();
  });

  /** Puts a text into the field. One that was there can be brought back, in whose place it can be brought back too. */
  function replace(next: Draft): void {
    const before = draftNow(admin.id, id);
    write(next);
    if (before.text.trim() !== '' && before.text !== next.text)
      offerUndo('Your draft was replaced.', async () => replace(before));
  }

  function send(): void {
    sendReply(admin.id, newReply(id, draft, newest ?? 0));
    write({ text: '' });
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
          onScroll={() => {
            onScroll();
            loadEarlier();
          }}
        >
          <div className={styles.messages}>
            <MoreButton list={list} mx="auto">
              Show earlier messages
            </MoreButton>
            {messages.map((message, index) => {
              const day = dayOf(message.created_at);
              const previous = messages[index - 1];
              const isFirstNew = message.id === firstNew;
              // A line above the first message of all would tell nothing.
              const isStart = previous === undefined && !list.hasNextPage;
              return (
                <Fragment key={message.id}>
                  {(previous === undefined || dayOf(previous.created_at) !== day) && (
                    <p className={styles.line} data-first={(isFirstNew && isStart) || undefined}>
                      {day}
                    </p>
                  )}
                  {isFirstNew && !isStart && (
                    <p className={styles.line} data-first data-new>
                      new
                    </p>
                  )}
                  <MessageView message={message} visitorName={name} onEdit={replace} />
                </Fragment>
              );
            })}
            {unsent.map((reply) => (
              <UnsentReplyView key={reply.key} reply={reply} onEdit={replace} />
            ))}
          </div>
        </div>
        {unseen > 0 && !isAtEnd && (
          <NewsButton bottom={12} onClick={toEnd}>
            {formatCount(unseen)} new ↓
          </NewsButton>
        )}
      </div>
      <ReplyForm conversation={conversation} onSend={send} />
    </>
  );
}

/** Marks what is on the screen as read. A failure is not worth a message: the next look tries again. */
async function markRead(id: string, upTo: number): Promise<void> {
  await client.call('conversations.read', { id, up_to: upTo }).catch(() => undefined);
  await conversations.refresh([id]);
}

const format = new Intl.DateTimeFormat(undefined, { weekday: 'long', month: 'long', day: 'numeric' });
const formatWithYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });

/** Returns the day of a moment in the browser's zone, such as `Sunday, November 22`, with the year if it is another one. */
function dayOf(at: string): string {
  const date = new Date(at);
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return 'Today';
  return (date.getFullYear() === now.getFullYear() ? format : formatWithYear).format(date);
}
