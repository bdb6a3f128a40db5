import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { useSession } from '../../app/session/session.ts';
import { assigneesQuery, nameOf } from '../../kit/admins.ts';
import { SearchField } from '../../parts/inputs/search-field.tsx';
import type { ConversationSearch } from '../conversation-search.ts';
import { statusWord } from '../status-words.ts';
import styles from './conversation-filters.module.css';
import { FilterMenu } from './filter-menu.tsx';

interface ConversationFiltersProps {
  readonly filter: ConversationSearch;
  readonly onChange: (part: Partial<ConversationSearch>) => void;
}

/** The filters of the list, which are in the page's address. */
export function ConversationFilters({ filter, onChange }: ConversationFiltersProps) {
  const { admin: me } = useSession();
  const { data: admins = [] } = useQuery(assigneesQuery(''));
  const others = admins.filter(({ id }) => id !== me.id);
  return (
    <>
      <SearchField label="Search conversations" text={filter.q} onChange={(q) => onChange({ q })} />
      <div className={styles.filters}>
        <FilterMenu
          label="Status"
          any="Any status"
          choices={conversationStatuses.map((status) => ({ value: status, label: statusWord(status) }))}
          value={filter.status}
          onChange={(status) => onChange({ status })}
        />
        <FilterMenu
          label="Assignee"
          any="Anyone"
          choices={[
            { value: 'me', label: 'Mine' },
            { value: 'none', label: 'Unassigned' },
            ...others.map((admin) => ({ value: admin.id, label: nameOf(admin) })),
          ]}
          value={filter.assignee}
          onChange={(assignee) => onChange({ assignee })}
        />
      </div>
      <Switch
        label="Only unread"
        size="xs"
        checked={filter.unread === 'true'}
        onChange={({ currentTarget: { checked } }) => onChange({ unread: checked ? 'true' : undefined })}
      />
    </>
  );
}
