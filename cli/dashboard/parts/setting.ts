import { leadingFields, type Noun } from '../../../src/contract/fields/field.ts';
import type { App } from '../app/app.ts';
import { action, type Part } from '../app/types.ts';
import { openMenu, pickWord } from '../dialogs/menu.ts';
import type { Changes } from './changing.ts';

interface AnyRow {
  readonly id: number | string;
}

/**
 * Sets the fields of a noun that are words and can be changed in bulk, by a key for each.
 *
 * @param used - the words that rows have besides
 */
export function words<Row extends AnyRow>(
  app: App,
  changes: Changes<Row>,
  noun: Noun,
  keys: Readonly<Record<string, string>>,
  used: (field: string) => readonly string[] = () => [],
): Part {
  return {
    actions: bulkWords(noun).map(([name, { label: heading, words: known = [] }]) => {
      const label = heading.toLowerCase();
      return action(
        `row.${name}`,
        keys[name] === undefined ? [] : [keys[name]],
        { title: `Change the ${label}`, hint: label, calls: changes.operation },
        changes.on((targets) => {
          const [only, ...others] = targets.kind === 'rows' ? targets.rows : [];
          const wordOf = (row: Row) => (row as unknown as Readonly<Record<string, string>>)[name] ?? '';
          const present = only === undefined || others.length > 0 ? undefined : wordOf(only);
          const all = [...new Set([...known, ...used(name)])];
          pickWord(app, `${heading} of ${changes.nameOf(targets)}`, all, present, (word) =>
            changes.change(targets, {
              what: `${label} ${word}`,
              set: { [name]: word },
              expected: (row) => ({ [name]: wordOf(row) }),
              apply: (row) => ({ ...row, [name]: word }),
            }),
          );
        }),
      );
    }),
  };
}

const bulkWords = (noun: Noun) =>
  leadingFields(noun, 'edit').filter(([, { kind, edit }]) => kind === 'word' && edit === 'many');

type Assignee = { readonly id: string; readonly email: string; readonly username: string } | null | undefined;

interface Person {
  readonly admin: Exclude<Assignee, undefined>;
  readonly note: string;
}

export function assigning<Row extends AnyRow & { readonly assignee?: Assignee }>(
  app: App,
  changes: Changes<Row>,
): Part {
  const people = async (text: string): Promise<readonly Person[]> => {
    const q = text.trim() === '' ? {} : { q: text };
    const { admins } = await app.call('admins.list', { is_active: '1', sort: 'username', limit: 50, ...q });
    const isMe = ({ email }: { readonly email: string }) => email === app.identity()?.email;
    const found = admins
      .toSorted((one, other) => Number(isMe(other)) - Number(isMe(one)))
      .map(({ id, email, username }) => ({
        admin: { id, email, username },
        note: isMe({ email }) ? 'me' : username === email ? '' : email,
      }));
    return 'nobody'.startsWith(text.trim().toLowerCase()) ? [...found, nobody] : found;
  };
  const nobody: Person = { admin: null, note: '' };
  const nameOf = ({ admin }: Person) => admin?.username || admin?.email || 'Nobody';
  return {
    actions: [
      action(
        'row.assignee',
        'A',
        { title: 'Assign', hint: 'assign', calls: changes.operation },
        changes.on((targets) => {
          openMenu<Person>(app, {
            title: `Assign ${changes.nameOf(targets)}`,
            placeholder: 'a name or an e-mail',
            find: people,
            text: nameOf,
            note: ({ note }) => note,
            take: (person) =>
              changes.change(targets, {
                what: person.admin === null ? 'assigned to nobody' : `assigned to ${nameOf(person)}`,
                set: { assignee_id: person.admin?.id ?? null },
                expected: (row) => ({ assignee_id: row.assignee?.id ?? null }),
                apply: (row) => ({ ...row, assignee: person.admin }),
              }),
          });
        }),
      ),
    ],
  };
}

interface LabelChoice {
  readonly name: string;
  readonly isOn: boolean;
}

export function labelling<Row extends AnyRow & { readonly labels?: readonly string[] | undefined }>(
  app: App,
  changes: Changes<Row>,
): Part {
  return {
    actions: [
      action(
        'row.labels',
        '#',
        { title: 'Add or remove a label', hint: 'labels', calls: changes.operation },
        changes.on((targets) => {
          const rows = targets.kind === 'rows' ? targets.rows : [];
          const isOn = (name: string) =>
            rows.length > 0 && rows.every(({ labels = [] }) => labels.includes(name));
          const take = ({ name, isOn }: LabelChoice) =>
            changes.change(targets, {
              what: isOn ? `without the label ${name}` : `with the label ${name}`,
              set: { [isOn ? 'remove_labels' : 'add_labels']: [name] },
              apply: (row) => ({
                ...row,
                labels: isOn
                  ? (row.labels ?? []).filter((each) => each !== name)
                  : [...new Set([...(row.labels ?? []), name])].sort(),
              }),
            });
          openMenu<LabelChoice>(app, {
            title: `Labels of ${changes.nameOf(targets)}`,
            placeholder: 'a label; a new one is made',
            async find(text) {
              const { labels } = await app.call('labels.list', text.trim() === '' ? {} : { q: text });
              return labels.map(({ name }) => ({ name, isOn: isOn(name) }));
            },
            text: ({ name, isOn }) => `${isOn ? '✓' : ' '} ${name}`,
            note: ({ isOn }) => (isOn ? 'remove' : 'add'),
            take,
            empty: 'Enter makes this label.',
            onNothing: (text) => (text.trim() === '' ? undefined : take({ name: text.trim(), isOn: false })),
          });
        }),
      ),
    ],
  };
}
