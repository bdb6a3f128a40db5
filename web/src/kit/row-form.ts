import type { Field, Value } from '../form/field.tsx';
import type { Resource } from './resource.ts';
import type { AnyRow } from './rows.ts';
import { changeRow } from './use-change.ts';

type Texts<Name extends string> = { readonly [Each in Name]: Value };

/** Returns what a `Form` needs to edit fields of a row: what they are, what they are now, and how they are saved. */
export function formOfRow<Row extends AnyRow, Name extends string>(
  of: Resource<Row>,
  row: Row,
  fields: Readonly<Record<Name, Field>>,
) {
  const { id } = row;
  const valuesOf = (from: Row) =>
    Object.fromEntries(
      Object.keys(fields).map((name) => [name, from[name as keyof Row] as Value]),
    ) as Texts<Name>;
  return {
    fields,
    start: valuesOf(row),
    now: valuesOf(row),
    keep: `${of.noun.id}.${id}`,
    what: `${of.noun.one} ${id}`,
    async reread() {
      const [now] = await of.byIds([id]);
      await of.refresh([id]);
      return now && valuesOf(now);
    },
    async send(set: Partial<Texts<Name>>, expected: Partial<Texts<Name>>) {
      await changeRow(of, id, set, expected);
      await of.refresh([id]);
    },
  };
}
