import type { Access } from '../access/access.ts';

/** What the history says of a changed field of any row. */
export interface HistoryEntry {
  readonly change_id: number;
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly actor: string;
  readonly door: string;
  readonly at: string;
}

/**
 * Creates a function that puts the e-mails of assignees into a history, in which they are IDs. Deleted admins keep their ID.
 * It asks for each admin once.
 */
export function assigneeNames(
  access: Pick<Access, 'call'>,
): <Entry extends HistoryEntry>(entries: readonly Entry[]) => Promise<readonly Entry[]> {
  const names = new Map<string, string>();
  const nameOf = async (id: string | null) => {
    if (id === null || names.has(id)) return;
    const { admins } = await access.call('admins.list', { q: id });
    names.set(id, admins.find((admin) => admin.id === id)?.email ?? id);
  };
  const shown = (id: string | null) => (id === null ? null : (names.get(id) ?? id));
  return async (entries) => {
    const assignments = entries.filter(isAssignment);
    for (const { before, after } of assignments) {
      await nameOf(before);
      await nameOf(after);
    }
    return entries.map((entry) =>
      isAssignment(entry)
        ? { ...entry, field: 'assignee', before: shown(entry.before), after: shown(entry.after) }
        : entry,
    );
  };
}

const isAssignment = ({ field }: HistoryEntry) => field === 'assignee_id';
