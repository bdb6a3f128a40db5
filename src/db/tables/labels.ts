import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Included } from '../../contract/schemas/assignees.ts';
import { maxLabels, noLabel } from '../../contract/schemas/labels.ts';
import { type ChangedNoun, changeTables, type RowId } from '../changes/change-tables.ts';
import type { Database } from '../connection/database.ts';
import type { ListColumns } from '../lists/list-query.ts';
import { type Search, searchShort } from '../lists/search.ts';
import { affectedRows, textRow } from './statements.ts';
import type { Person } from './visitors/person.ts';
import { isMentionedIn, labelTexts } from './visitors/written-texts.ts';

/** Selects rows by their labels, and whether to add these to them. */
export interface LabelFilter {
  /** Matches rows with one of them, whatever its case; `none` matches rows without any. */
  readonly label?: readonly string[] | undefined;
  readonly include?: Included | undefined;
}

const textsOf = (texts: readonly string[]): FragmentSqlToken =>
  sql.fragment`${sql.array([...texts], 'text')}`;

const folded = (name: FragmentSqlToken): FragmentSqlToken => sql.fragment`lower(normalize(${name}))`;

/** The order in which labels are locked. Of two forms of one, that in NFC comes last. */
const inOrder = (name: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`${folded(name)}, ${name} is nfc normalized, ${name}`;

/** Returns labels in all forms in which rows may have them: plain SQL or an older version may have written others than NFC. */
function formsOf(labels: readonly string[]): readonly string[] {
  return [...new Set(labels.flatMap((label) => [label, label.normalize('NFC'), label.normalize('NFD')]))];
}

/** Returns the last column of a list if the filter includes the labels; otherwise none. */
export function labelColumn(column: FragmentSqlToken, { include }: LabelFilter): ListColumns {
  return include?.includes('labels') === true ? { labels: { json: sql.fragment`to_json(${column})` } } : {};
}

/** Where a list finds the labels of its rows. */
interface LabelledRows {
  readonly table: FragmentSqlToken;
  /** The columns of a row of the list. */
  readonly id: FragmentSqlToken;
  readonly labels: FragmentSqlToken;
}

/**
 * Returns the rows with one of the labels of a filter, or undefined if it has none. They are read as those of a search: a
 * label may be on most rows or on few, and no index has them in the order of a list.
 */
export function labelSearch({ label }: LabelFilter, { table, id, labels }: LabelledRows): Search | undefined {
  if (label === undefined) return undefined;
  const forms = formsOf(label);
  return {
    condition: sql.fragment`${id} = any(array(
      select labelled.id from ${table} labelled where ${hasOneOf(forms, sql.fragment`labelled.labels`)}
    ))`,
    // No index serves a condition after which `is true` stands.
    probe: sql.fragment`(${hasOneOf(forms, labels)}) is true`,
  };
}

/** Returns the condition that a row has one of the labels. Each part is that of an index. */
function hasOneOf(wanted: readonly string[], column: FragmentSqlToken): FragmentSqlToken {
  const names = wanted.filter((name) => name.toLowerCase() !== noLabel);
  const isOneOf = sql.fragment`${column} <> '{}' and fold_labels(${column}) && fold_labels(${textsOf(names)})`;
  if (names.length === wanted.length) return isOneOf;
  const hasNone = sql.fragment`${column} = '{}'`;
  return names.length === 0 ? hasNone : sql.fragment`(${hasNone} or ${isOneOf})`;
}

/** Returns the condition that a row has one of the labels of a filter; false if it has none. */
export function labelCondition({ label }: LabelFilter, column: FragmentSqlToken): FragmentSqlToken | false {
  return label !== undefined && hasOneOf(formsOf(label), column);
}

/** Returns the condition that a row of a noun has a label in this form. */
export function labelOfRows(noun: ChangedNoun, name: string): FragmentSqlToken {
  return hasOneOf([name], sql.fragment`${changeTables[noun].rows}.labels`);
}

/** Returns the labels of a row after a change. Those removed go in all forms, and none is there in two. */
export function labelsAfter(
  column: FragmentSqlToken,
  added: readonly string[] = [],
  removed: readonly string[] = [],
): FragmentSqlToken {
  const gone = [...formsOf(removed), ...formsOf(added).filter((label) => !added.includes(label))];
  return sql.fragment`change_labels(${column}, ${textsOf(added)}, ${textsOf(gone)})`;
}

/** Reports whether a change would give one of the rows more labels than a row may have. */
export async function hasTooManyLabels(
  db: Database,
  noun: ChangedNoun,
  ids: readonly RowId[],
  added: readonly string[],
  removed: readonly string[] = [],
): Promise<boolean> {
  const { rows, idType } = changeTables[noun];
  return await db.exists(sql.unsafe`
    select from ${rows}
    where id = any(${sql.array([...ids], idType)})
      and cardinality(${labelsAfter(sql.fragment`labels`, added, removed)}) > ${maxLabels}
  `);
}

const knownLabel = z.object({ given: z.string(), name: z.string() });

/**
 * Returns labels as they were first written, and keeps them from being renamed or deleted until the transaction ends. Those
 * that are new are written as they are given. Call it before any row is locked that gets the labels.
 */
export async function knownLabels(tx: Database, labels: readonly string[]): Promise<readonly string[]> {
  if (labels.length === 0) return [];
  const given = sql.fragment`unnest(${textsOf(labels)}) as given (name)`;
  const isGiven = sql.fragment`
    lower(labels.name) in (lower(given.name), lower(normalize(given.name)), lower(normalize(given.name, nfd)))
  `;
  for (;;) {
    await tx.query(sql.unsafe`
      insert into labels (name)
      select distinct on (${folded(sql.fragment`name`)}) normalize(name) from ${given}
      where not exists (select from labels where ${isGiven})
      order by ${folded(sql.fragment`name`)}
      on conflict (lower(name)) do nothing
    `);
    const found = await tx.any(sql.type(knownLabel)`
      select given.name as given, labels.name
      from ${given} join labels on ${isGiven}
      order by ${inOrder(sql.fragment`labels.name`)}
      for key share of labels
    `);
    // Of two forms, the last is in NFC.
    const known = new Map(found.map(({ given, name }) => [given, name]));
    // Somebody may have deleted one in between.
    if (known.size === new Set(labels).size) return [...new Set(known.values())];
  }
}

/** Keeps the labels that an undo gives back to rows. Call it before any of the rows is locked. */
export async function keepLabelsOfChange(tx: Database, changeId: number, noun: ChangedNoun): Promise<void> {
  const before = await tx.anyFirst(sql.type(textRow)`
    select distinct on (lower(name)) name
    from ${changeTables[noun].history} cross join unnest(labels_of(before)) as name
    where change_id = ${changeId} and field = 'labels'
    order by lower(name)
  `);
  await knownLabels(tx, before);
}

const usedLabel = z.object({ name: z.string(), issues: z.int(), conversations: z.int() });

/** Returns the labels that contain some words, in the order of the alphabet, with how many rows have each. */
export async function selectLabels(db: Database, q: string | undefined) {
  const uses = (noun: ChangedNoun) => sql.fragment`
    select lower(name) as folded, min(name) as name, count(*) as count
    from ${changeTables[noun].rows} cross join unnest(labels) as name
    where labels <> '{}'
    group by lower(name)
  `;
  return await db.any(sql.type(usedLabel)`
    select name, issues, conversations
    from (
      select folded, coalesce(known.name, issue.name, conversation.name) as name,
        coalesce(issue.count, 0) as issues, coalesce(conversation.count, 0) as conversations
      from (select lower(name) as folded, name from labels) as known
      full join (${uses('issues')}) as issue using (folded)
      full join (${uses('conversations')}) as conversation using (folded)
    ) as found
    where ${searchShort(q, [sql.fragment`name`])?.condition ?? sql.fragment`true`}
    order by folded
  `);
}

/** Keeps others from using or changing labels until the transaction ends. */
export async function lockLabels(tx: Database, names: readonly string[]): Promise<void> {
  await tx.query(sql.unsafe`
    select from labels where lower(name) = any(fold_labels(${textsOf(formsOf(names))}))
    order by ${inOrder(sql.fragment`name`)}
    for update
  `);
}

/** Returns a label as it is written, or null if there is none. Of two forms, the given one. */
export async function selectLabel(db: Database, name: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(textRow)`
    select name from labels
    where lower(name) = any(fold_labels(${textsOf(formsOf([name]))}))
    order by lower(name) = lower(${name}) desc, name is nfc normalized desc
    limit 1
  `);
}

const clash = z.object({ name: z.string(), other: z.string() });

/** Returns labels that are not in NFC, with others that are the same in NFC. */
export async function selectClashingLabels(db: Database) {
  return await db.any(sql.type(clash)`
    select labels.name, other.name as other
    from labels join labels as other on lower(other.name) = lower(normalize(labels.name))
    where labels.name is not nfc normalized
    order by 1
  `);
}

/** Writes a label differently. */
export async function renameLabel(tx: Database, name: string, newName: string): Promise<void> {
  await tx.query(sql.unsafe`update labels set name = ${newName} where lower(name) = lower(${name})`);
}

/** Deletes the labels that contain the address of a person. Rows keep theirs. Returns how many there were. */
export async function deleteLabelsNaming(tx: Database, person: Person): Promise<number> {
  return await affectedRows(tx)`delete from labels where ${isMentionedIn(person, labelTexts)}`;
}

/** Deletes a label. Rows keep it. */
export async function deleteLabel(tx: Database, name: string): Promise<void> {
  await tx.query(sql.unsafe`delete from labels where lower(name) = lower(${name})`);
}
