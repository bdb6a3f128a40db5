import { NativeSelect } from '@mantine/core';
import { roles } from '../../../src/contract/vocabulary.ts';
import { wordOf } from '../app/search-params.ts';
import { SearchField } from '../parts/inputs/search-field.tsx';
import { type AdminSearch, defaultSort } from './admin-search.ts';
import styles from './admins-page.module.css';

const states = [
  { value: '', label: 'Any status' },
  { value: '1', label: 'Active' },
  { value: '0', label: 'Inactive' },
];

const sorts = [
  { value: defaultSort, label: 'Oldest first' },
  { value: '-created_at', label: 'Newest first' },
  { value: 'username', label: 'Name A–Z' },
  { value: '-username', label: 'Name Z–A' },
  { value: 'email', label: 'Email A–Z' },
  { value: '-email', label: 'Email Z–A' },
];

interface AdminFiltersProps {
  readonly search: AdminSearch;
  readonly onChange: (part: Partial<AdminSearch>) => void;
}

/**
 * The filters of the list, which are in the page's address, and its order on a phone, whose table has no headings. The
 * browser's own fields: those of the library would make the first view too large.
 */
export function AdminFilters({ search, onChange }: AdminFiltersProps) {
  return (
    <>
      <SearchField label="Search admins" text={search.q} onChange={(q) => onChange({ q })} />
      <NativeSelect
        aria-label="Role"
        data={[{ value: '', label: 'Any role' }, ...roles]}
        value={search.role ?? ''}
        onChange={({ currentTarget }) => onChange({ role: wordOf(roles, currentTarget.value) })}
        className={styles.pick ?? ''}
      />
      <NativeSelect
        aria-label="Status"
        data={states}
        value={search.is_active ?? ''}
        onChange={({ currentTarget }) => onChange({ is_active: wordOf(['0', '1'], currentTarget.value) })}
        className={styles.pick ?? ''}
      />
      <NativeSelect
        aria-label="Order"
        data={sorts}
        value={search.sort ?? defaultSort}
        onChange={({ currentTarget: { value } }) =>
          onChange({ sort: value === defaultSort ? undefined : (value as AdminSearch['sort']) })
        }
        className={styles.order ?? ''}
      />
    </>
  );
}
