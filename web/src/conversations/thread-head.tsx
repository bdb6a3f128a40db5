import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { pages } from '../../../src/contract/pages.ts';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { client } from '../app/data/client.ts';
import { useSession } from '../app/session/session.ts';
import { type Action, useActions } from '../kit/actions.ts';
import { useGo } from '../kit/go.ts';
import { changeRow } from '../kit/use-change.ts';
import { capital } from '../kit/words.ts';
import { copyLink } from '../parts/files/copy-link.ts';
import { Icon } from '../parts/icon.tsx';
import { Mark } from '../parts/mark.tsx';
import { RowMenu } from '../parts/table/row-menu.tsx';
import { tellError } from '../parts/tell.ts';
import { useNextConversation } from './conversation-rows.ts';
import styles from './thread.module.css';
import { openConversations, type ThreadConversation } from './thread-queries.ts';

interface ThreadHeadProps {
  readonly conversation: ThreadConversation;
}

/** The subject, the visitor and the status, and what can be done; on a phone the way back to the list. */
export function ThreadHead({ conversation }: ThreadHeadProps) {
  const { subject, visitor_name: name, visitor_email: email, status } = conversation;
  const go = useGo();
  return (
    <header className={styles.head}>
      <BackToList />
      <div className={styles.titles}>
        <h2 className={styles.title} dir="auto">
          {subject || name}
        </h2>
        <p className={styles.subtitle}>
          <Mark word={capital(status)} /> · <bdi>{name}</bdi> · <bdi>{email}</bdi>
        </p>
      </div>
      <div className={styles.actions}>
        <Resolve conversation={conversation} />
        <Button variant="default" className={styles.detailsButton ?? ''} onClick={() => go({ show: 'details' })}>
          Details
        </Button>
        <RowMenu name={`the conversation with ${name}`} actions={useThreadActions()(conversation)} />
      </div>
    </header>
  );
}

/** The way back to the list, on a phone. */
export function BackToList() {
  return (
    <Link
      to="/conversations"
      search={(before) => ({ ...before, id: undefined, show: undefined })}
      className={styles.back}
    >
      <Icon name="back" /> All
    </Link>
  );
}

/** Resolves the conversation and shows the next one, or opens it again. */
function Resolve({ conversation: { id, status, visitor_name: name } }: ThreadHeadProps) {
  const isDone = status === 'resolved' || status === 'closed';
  const next = useNextConversation();
  const resolve = useMutation({
    mutationFn: async () => {
      // Once it is resolved, it may have left the list.
      const goOn = next(id);
      await changeRow(
        openConversations,
        id,
        { status: isDone ? 'open' : 'resolved' },
        { status },
        `Conversation with ${name} ${isDone ? 'reopened' : 'resolved'}`,
      );
      if (!isDone) goOn();
    },
    onError: tellError,
    onSettled: () => void openConversations.refresh([id]),
  });
  const run = () => {
    if (!resolve.isPending) resolve.mutate();
  };
  const title = isDone ? 'Reopen the conversation' : 'Resolve and go to the next conversation';
  useShortcuts('Conversation', [{ keys: 'e', title, run }]);
  return (
    <Button variant={isDone ? 'default' : 'light'} title={`${title} (e)`} loading={resolve.isPending} onClick={run}>
      {isDone ? 'Reopen' : 'Resolve and next'}
    </Button>
  );
}

const statusActions = { open: 'Reopen', pending: 'Mark as pending', resolved: 'Resolve', closed: 'Close' };

/** Returns what else can be done with the open conversation. */
function useThreadActions() {
  const { admin: me } = useSession();
  const go = useGo();
  const navigate = useNavigate();
  const leave = () =>
    navigate({
      to: '/conversations',
      search: (before) => ({ ...before, id: undefined, show: undefined }),
      replace: true,
    });
  const actions: readonly Action<ThreadConversation>[] = [
    {
      label: 'Assign to me',
      unless: ({ assignee }) => assignee?.id !== me.id && undefined,
      run: ({ id, assignee }) =>
        changeRow(
          openConversations,
          id,
          { assignee_id: me.id },
          { assignee_id: assignee?.id ?? null },
          'Assigned to you',
        ),
    },
    ...conversationStatuses.map((to) => ({
      label: statusActions[to],
      unless: ({ status }: ThreadConversation) => status !== to && undefined,
      run: ({ id, status }: ThreadConversation) =>
        changeRow(openConversations, id, { status: to }, { status }, `Status set to ${capital(to)}`),
    })),
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
  return useActions(openConversations, actions);
}
