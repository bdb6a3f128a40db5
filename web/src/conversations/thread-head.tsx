import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { pages } from '../../../src/contract/pages.ts';
import { client } from '../app/data/client.ts';
import { useActions } from '../kit/actions.ts';
import { useGo } from '../kit/go.ts';
import type { Action } from '../kit/rows.ts';
import { copyLink } from '../parts/copied-text.tsx';
import { Icon } from '../parts/icon.tsx';
import { Mark } from '../parts/mark.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import sheet from '../parts/sheet.module.css';
import { capital } from '../parts/words.ts';
import { useConversationActions } from './conversation-actions.ts';
import { type Conversation, conversations } from './conversation-resource.ts';
import styles from './thread.module.css';

/** What takes the open conversation out of the address. */
const closed = (before: object) => ({ ...before, id: undefined, show: undefined });

/** The subject, the visitor and the status, and what can be done; on a phone the way back to the list. */
export function ThreadHead({ conversation }: { readonly conversation: Conversation }) {
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
export function BackToList() {
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
    // The details have the labels.
    ...useConversationActions(() => undefined).filter(({ key }) => key !== 'l'),
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
