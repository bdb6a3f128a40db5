import { type FragmentSqlToken, sql } from 'slonik';
import { type ChangedNoun, changeTables } from './change-tables.ts';
import type { Author } from './changes.ts';

/** One changed field of a row. */
interface Edit {
  readonly field: string;
  readonly after: string | null;
}

/**
 * Returns the expressions of a statement that write one changed field of a row to its history. They read the `id` and
 * the value `before` of the expression `changed`, which has locked the row.
 */
export function editOf(noun: ChangedNoun, author: Author, { field, after }: Edit): FragmentSqlToken {
  const { history, rowId } = changeTables[noun];
  return sql.fragment`
    edit as (
      insert into changes (noun, actor_kind, actor_id, actor_name, door, count)
      select ${noun}, ${author.kind}, ${author.id}, ${author.name}, ${author.door}, 1 from changed
      returning id
    ), edited_field as (
      insert into ${history} (change_id, ${rowId}, field, before, after)
      select edit.id, changed.id, ${field}, changed.before, ${after} from edit, changed
    )
  `;
}
