import { ActionIcon, Button, Menu, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { client } from '../../app/client.ts';
import { useMay } from '../../app/permissions.ts';
import { useSession } from '../../app/session.ts';
import { offerUndo } from '../../parts/changes/offer-undo.tsx';
import { confirm } from '../../parts/dialogs/confirm.tsx';
import { Icon } from '../../parts/icon.tsx';
import { tellError } from '../../parts/tell.ts';
import { reloadConversations, type ThreadConversation } from '../conversation-queries.ts';
import type { ConversationSearch } from '../conversation-search.ts';
import { useChangeConversations } from '../list/change-conversations.ts';
import { copyLink } from './copy-link.ts';
import styles from './thread.module.css';

const route = getRouteApi('/signed-in/conversations');

/** The subject, the status and what can be done with the conversation; on a phone the way back to the list. */
export function ThreadHead({ conversation }: { readonly conversation: ThreadConversation }) {
  const { id, subject, visitor_name: name, visitor_email: email, status } = conversation;
  const navigate = route.useNavigate();
  const show = (what: ConversationSearch['show']) =>
    void navigate({ search: (before) => ({ ...before, show: what }) });
  const change = useChangeStatus(id);
  return (
    <header className={styles.head}>
      <Link
        to="/conversations"
        search={(before) => ({ ...before, id: undefined, show: undefined })}
        className={styles.back}
      >
        <Icon name="back" /> All
      </Link>
      <div className={styles.titles}>
        <h2 className={styles.title} title={subject || name}>
          {subject || name}
        </h2>
        <p className={styles.subtitle}>
          {name} · {email}
        </p>
      </div>
      <div className={styles.headActions}>
        <Select
          aria-label="Status of the conversation"
          data={conversationStatuses}
          value={status}
          allowDeselect={false}
          disabled={change.isPending}
          className={styles.status ?? ''}
          onChange={(to) => to && to !== status && change.mutate({ from: status, to })}
        />
        <Button variant="default" className={styles.makeIssue ?? ''} onClick={() => show('new-issue')}>
          Make an issue
        </Button>
        <Button variant="default" className={styles.detailsButton ?? ''} onClick={() => show('details')}>
          Details
        </Button>
        <ThreadMenu conversation={conversation} />
      </div>
    </header>
  );
}

interface StatusChange {
  readonly from: string;
  readonly to: string;
}

/** Changes the status if it is still what was on the screen, and offers to undo that. */
function useChangeStatus(id: string) {
  const set = ({ from, to }: StatusChange) =>
    client.call('conversations.changeStatus', {
      id,
      status: to as (typeof conversationStatuses)[number],
      expected: { status: from },
    });
  return useMutation({
    mutationFn: set,
    onSuccess: (_answer, { from, to }) =>
      offerUndo(`Status set to ${to}`, async () => {
        try {
          await set({ from: to, to: from });
        } finally {
          await reloadConversations(id);
        }
      }),
    onError: tellError,
    onSettled: () => reloadConversations(id),
  });
}

/** The menu of actions that people rarely need, such as deleting the conversation. */
function ThreadMenu({ conversation }: { readonly conversation: ThreadConversation }) {
  const { id, subject, visitor_name: name, assignee = null } = conversation;
  const { admin: me } = useSession();
  const may = useMay();
  const navigate = route.useNavigate();
  const change = useChangeConversations();
  /** Leaves the conversation first: what is looked at is read. */
  async function markUnread(): Promise<void> {
    await navigate({ search: (before) => ({ ...before, id: undefined, show: undefined }) });
    try {
      await client.call('conversations.unread', { id });
    } catch (error) {
      tellError(error as Error);
    }
    await reloadConversations(id);
  }

  async function remove(): Promise<void> {
    const isDeleted = await confirm({
      title: `Delete the conversation with ${name}?`,
      text: `${subject === '' ? 'All its' : `“${subject}”: all its`} messages and comments are deleted. Issues that came of it stay. You cannot undo this.`,
      action: 'Delete',
      run: () => client.call('conversations.delete', { id }),
    });
    if (!isDeleted) return;
    await navigate({ search: (before) => ({ ...before, id: undefined, show: undefined }), replace: true });
    await reloadConversations(id);
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={36} variant="default" className={styles.more ?? ''} aria-label="More">
          <svg width="20" height="20" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
            <circle cx="4" cy="10" r="1.5" />
            <circle cx="10" cy="10" r="1.5" />
            <circle cx="16" cy="10" r="1.5" />
          </svg>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {assignee?.id !== me.id && (
          <Menu.Item
            onClick={() => change.mutate({ ids: [id], set: { assignee_id: me.id }, done: 'Assigned to you' })}
          >
            Assign to me
          </Menu.Item>
        )}
        {conversation.unread_count === 0 && (
          <Menu.Item onClick={() => void markUnread()}>Mark as unread</Menu.Item>
        )}
        <Menu.Item onClick={() => void copyLink(id)}>Copy link</Menu.Item>
        <Menu.Item
          onClick={() => void navigate({ search: (before) => ({ ...before, show: 'saved-replies' }) })}
        >
          Manage saved replies
        </Menu.Item>
        {may('conversations.delete') && (
          <>
            <Menu.Divider />
            <Menu.Item className={styles.danger ?? ''} onClick={() => void remove()}>
              Delete…
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
