import { Button, Menu } from '@mantine/core';
import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { AssigneeItems } from '../../kit/admin-items.tsx';
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
            <AssigneeItems onChoose={(id) => apply({ assignee_id: id })} />
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
