import { ActionIcon, Menu } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { pages } from '../../../../src/contract/pages.ts';
import { client } from '../../app/data/client.ts';
import { useMay } from '../../app/session/permissions.ts';
import { useSession } from '../../app/session/session.ts';
import { confirm } from '../../form/confirm.tsx';
import { copyLink } from '../../parts/files/copy-link.ts';
import { MoreIcon } from '../../parts/more-icon.tsx';
import { tellError } from '../../parts/tell.ts';
import { reloadConversations, type ThreadConversation } from '../conversation-queries.ts';
import { useChangeConversations } from '../list/change-conversations.ts';
import styles from './thread-head.module.css';

const route = getRouteApi('/signed-in/conversations');

/** The menu of actions that people rarely need, such as deleting the conversation. */
export function ThreadMenu({ conversation }: { readonly conversation: ThreadConversation }) {
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
      title: (
        <>
          Delete the conversation with <bdi>{name}</bdi>?
        </>
      ),
      text: (
        <>
          {subject === '' ? (
            'All its'
          ) : (
            <>
              “<bdi>{subject}</bdi>”: all its
            </>
          )}{' '}
          messages and comments are deleted. Issues that came of it stay. You cannot undo this.
        </>
      ),
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
          <MoreIcon />
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
        <Menu.Item onClick={() => void copyLink(pages.conversations.path, { id })}>Copy link</Menu.Item>
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
