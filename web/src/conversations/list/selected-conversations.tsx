import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { useSession } from '../../app/session.ts';
import { assigneesQuery, nameOf } from '../../assignees/assignee-queries.ts';
import { formatCount } from '../../parts/numbers.ts';
import { statusWord } from '../status-words.ts';
import { useChangeConversations } from './change-conversations.ts';
import styles from './selected-conversations.module.css';

interface SelectedConversationsProps {
  readonly ids: ReadonlySet<string>;
  readonly onClear: () => void;
}

/** What can be done with the selected conversations. Each change can be undone. */
export function SelectedConversations({ ids, onClear }: SelectedConversationsProps) {
  const { admin: me } = useSession();
  const { data: admins = [] } = useQuery(assigneesQuery(''));
  const change = useChangeConversations();
  const apply = (set: Parameters<typeof change.mutate>[0]['set']) =>
    change.mutate({ ids: [...ids], set }, { onSuccess: onClear });
  return (
    <section className={styles.bar} aria-label="Selected conversations">
      <span className={styles.count} aria-live="polite">
        {formatCount(ids.size)} selected
      </span>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Clear
      </Button>
      <div className={styles.actions}>
        <Menu>
          <Menu.Target>
            <Button size="compact-sm" variant="default" loading={change.isPending}>
              Set status
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {conversationStatuses.map((status) => (
              <Menu.Item key={status} onClick={() => apply({ status })}>
                {statusWord(status)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Menu>
          <Menu.Target>
            <Button size="compact-sm" variant="default" disabled={change.isPending}>
              Assign
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => apply({ assignee_id: me.id })}>Assign to me</Menu.Item>
            <Menu.Item onClick={() => apply({ assignee_id: null })}>Assign to nobody</Menu.Item>
            <Menu.Divider />
            {admins
              .filter(({ id }) => id !== me.id)
              .map((admin) => (
                <Menu.Item key={admin.id} onClick={() => apply({ assignee_id: admin.id })}>
                  {nameOf(admin)}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
        <Button
          size="compact-sm"
          variant="default"
          disabled={change.isPending}
          onClick={() => apply({ read: true })}
        >
          Mark as read
        </Button>
      </div>
    </section>
  );
}
