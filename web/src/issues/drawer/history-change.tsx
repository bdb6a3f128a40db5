import { useQuery } from '@tanstack/react-query';
import { assigneesQuery, nameOf } from '../../assignees/assignee-queries.ts';
import { Icon } from '../../parts/icon.tsx';
import { Mark } from '../../parts/mark.tsx';
import type { HistoryEntry } from '../issue-queries.ts';
import styles from './history-change.module.css';

const names: Readonly<Record<string, string>> = {
  title: 'Title',
  category: 'Category',
  severity: 'Severity',
  status: 'Status',
  description: 'Description',
  steps_to_reproduce: 'Steps to reproduce',
  assignee_id: 'Assignee',
  labels: 'Labels',
};

/** A field before and after a change. Long texts are shown on demand. */
export function HistoryChange({ entry: { field, before, after } }: { readonly entry: HistoryEntry }) {
  const name = names[field] ?? field;
  if (field === 'description' || field === 'steps_to_reproduce')
    return (
      <details className={styles.texts}>
        <summary>{name} changed</summary>
        <p className={styles.label}>Before</p>
        <p className={styles.text} dir="auto">
          {before || 'Empty'}
        </p>
        <p className={styles.label}>After</p>
        <p className={styles.text} dir="auto">
          {after || 'Empty'}
        </p>
      </details>
    );
  return (
    <p className={styles.values}>
      <span className={styles.label}>{name}</span>
      <Value field={field} value={before} />
      <span className={styles.arrow} role="img" aria-label="became">
        <Icon name="forward" />
      </span>
      <Value field={field} value={after} />
    </p>
  );
}

interface ValueProps {
  readonly field: string;
  readonly value: string | null;
}

function Value({ field, value }: ValueProps) {
  if (field === 'assignee_id') return value === null ? <span>Nobody</span> : <AdminName id={value} />;
  if (field === 'status' || field === 'severity') return <Mark word={value ?? ''} />;
  return <bdi className={styles.value}>{value || 'Empty'}</bdi>;
}

/** The name of an admin. The history has only the id. */
function AdminName({ id }: { readonly id: string }) {
  const { data } = useQuery(assigneesQuery(id));
  const admin = data?.find((found) => found.id === id);
  return <span>{admin ? nameOf(admin) : data ? 'A former admin' : '…'}</span>;
}
