import { pickerDialog } from '../../dialogs/picker.tsx';
import type { App } from '../../state/app.ts';
import type { Dialog } from '../../state/screen-types.ts';
import { type Me, readMe } from '../me.ts';

/** Who works on an issue or a conversation. */
export interface Assignee {
  readonly id: string;
  readonly email: string;
  readonly username: string;
}

export interface AssigneeDialogOptions {
  readonly title: string;
  /** Finds out who works on it now; null for nobody, undefined if that is not known or differs. */
  readonly readCurrent: () => Promise<Assignee | null | undefined>;
  /** Receives null for nobody, and who worked on it when the dialog was opened. */
  readonly onChoose: (assignee: Assignee | null, before: Assignee | null | undefined) => Promise<void> | void;
}

interface Choice {
  readonly name: string;
  readonly about: string;
  readonly assignee: Assignee | null;
}

/** More are found by typing. */
const maxAdmins = 50;

/** Chooses who works on something: oneself first, nobody, then the other active admins. */
export function assigneeDialog(app: App, { title, readCurrent, onChoose }: AssigneeDialogOptions): Dialog {
  let known: Promise<readonly [Me, Assignee | null | undefined]> | undefined;
  let current: Assignee | null | undefined;
  const marked = (about: string, assignee: Assignee | null) =>
    current !== undefined && (current?.id ?? null) === (assignee?.id ?? null) ? `${about}  (current)` : about;
  const toChoice = (assignee: Assignee, mark = ''): Choice => ({
    name: `${assignee.username || assignee.email}${mark}`,
    about: marked(assignee.email, assignee),
    assignee,
  });
  return pickerDialog<Choice>(app, {
    title,
    note: 'name or e-mail',
    isRemote: true,
    empty: 'No active admin matches.',
    async find(text) {
      known ??= Promise.all([readMe(app), readCurrent()]);
      const q = text.trim();
      const [[self, before], { admins }] = await Promise.all([
        known,
        app.call('admins.list', {
          limit: maxAdmins,
          sort: 'username',
          is_active: '1',
          ...(q === '' ? {} : { q }),
        }),
      ]);
      current = before;
      const own = admins.filter(({ id }) => id === self?.id);
      const others = admins.filter(({ id }) => id !== self?.id);
      const nobody: Choice = { name: 'nobody', about: marked('', null), assignee: null };
      return [
        ...own.map((admin) => toChoice(admin, ' (you)')),
        ...('nobody'.startsWith(q.toLowerCase()) ? [nobody] : []),
        ...others.map((admin) => toChoice(admin)),
      ];
    },
    onChoose: ({ assignee }) => onChoose(assignee, current),
  });
}
