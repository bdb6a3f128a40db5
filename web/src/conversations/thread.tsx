import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { pages } from '../../../src/contract/pages.ts';
import { client } from '../app/data/client.ts';
import { useRememberThing } from '../app/palette/entries.ts';
import { useActions } from '../kit/actions.ts';
import { useGo } from '../kit/go.ts';
import type { Action } from '../kit/rows.ts';
import { RowMenu } from '../parts/buttons.tsx';
import { copyLink } from '../parts/copied-text.tsx';
import { Icon } from '../parts/icon.tsx';
import { Mark } from '../parts/mark.tsx';
import { Failure } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';
import { capital } from '../parts/words.ts';
import { useConversationActions } from './conversation-actions.ts';
import { conversationEntry } from './conversation-outside.ts';
import { type Conversation, conversations, useThread, visitorMailQuery } from './conversation-resource.ts';
import { Messages } from './messages.tsx';
import { useDraft, useUnsentReplies } from './reply-outbox.ts';
import styles from './thread.module.css';
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
  const { list } = useThread(id);
  useRememberThing(conversation ? conversationEntry(conversation) : undefined);
  // Its note above the reply would move the form.
  const mail = useQuery(visitorMailQuery);
  const isWaiting = mail.isLoading && mail.failureCount === 0;
  if (conversation === null) return <MissingThread id={id} />;
  const error = row.error ?? list.error;
  if (conversation === undefined || list.data === undefined || isWaiting) {
    if (error === null) return placeholder;
    return (
      <div className={styles.thread}>
        <Failure error={error} retry={() => void Promise.all([row.refetch(), list.refetch()])} />
      </div>
    );
  }
  return (
    <>
      <section className={styles.thread} aria-label={`Conversation with ${conversation.visitor_name}`}>
        <ThreadHead conversation={conversation} />
        <Messages conversation={conversation} />
      </section>
      <Details conversation={conversation} />
      {show === 'new-issue' && <MakeIssue conversation={conversation} />}
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

/** What takes the open conversation out of the address. */
const closed = (before: object) => ({ ...before, id: undefined, show: undefined });

/** The subject, the visitor and the status, and what can be done; on a phone the way back to the list. */
function ThreadHead({ conversation }: { readonly conversation: Conversation }) {
  const { subject, visitor_name: name, visitor_email: email, status } = conversation;
  const go = useGo();
  const actions = useThreadActions()(conversation);
  const isDone = status === 'resolved' || status === 'closed';
  const main = actions.find(({ key }) => key === (isDone ? 'o' : 'e'));
  return (
    <header className={styles.head}>
      <BackToList />
      <div className={styles.titles}>
        <h2 className={styles.title} dir="auto">
          {subject || name}
        </h2>
        <div className={sheet.small}>
          <Mark word={capital(status)} /> · <bdi>{name}</bdi> · <bdi>{email}</bdi>
        </div>
      </div>
      <div className={sheet.row}>
        {main && (
          <Button
            variant={isDone ? 'default' : 'light'}
            title={`${main.label} (${main.key})`}
            onClick={main.run}
          >
            {isDone ? 'Reopen' : 'Resolve and next'}
          </Button>
        )}
        <Button
          variant="default"
          className={styles.detailsButton ?? ''}
          onClick={() => go({ show: 'details' })}
        >
          Details
        </Button>
        <RowMenu name={`the conversation with ${name}`} actions={actions} />
      </div>
    </header>
  );
}

/** The way back to the list, on a phone. */
function BackToList() {
  return (
    <Link to="/conversations" search={closed} className={styles.back}>
      <Icon name="back" /> All
    </Link>
  );
}

/** Returns what can be done with the open conversation. */
function useThreadActions() {
  const go = useGo();
  const navigate = useNavigate();
  const leave = () => navigate({ to: '/conversations', search: closed, replace: true });
  const actions: readonly Action<Conversation>[] = [
    ...useConversationActions(),
    { label: 'Make an issue', run: () => go({ show: 'new-issue' }) },
    {
      label: 'Mark as unread',
      unless: ({ unread_count: unread }) => unread === 0 && undefined,
      async run({ id }) {
        // Leaves the conversation first: what is looked at is read.
        await leave();
        await client.call('conversations.unread', { id });
      },
    },
    { label: 'Copy link', run: ({ id }) => copyLink(pages.conversations.path, { id }) },
    { label: 'Saved replies', run: () => navigate({ to: '/saved-replies' }) },
    {
      label: 'Delete',
      needs: 'conversations.delete',
      isDangerous: true,
      ask: ({ subject, visitor_name: name }) => ({
        title: (
          <>
            Delete the conversation with <bdi>{name}</bdi>?
          </>
        ),
        text: (
          <p>
            {subject && (
              <>
                Its subject is “<bdi>{subject}</bdi>”.{' '}
              </>
            )}
            All its messages and comments are deleted. Linked issues stay. You cannot undo this.
          </p>
        ),
        action: 'Delete',
      }),
      async run({ id }) {
        await client.call('conversations.delete', { id });
        await leave();
      },
    },
  ];
  return useActions(conversations, actions);
}
