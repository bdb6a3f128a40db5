import { z } from 'zod';
import {
  type ChangeSchema,
  type CreateSchema,
  changeValue,
  createValue,
  type GivenValue,
  type RowValue,
  rowValue,
  type SeenValue,
  seenValue,
} from './field-values.ts';
import {
  type Field,
  type FieldsOf,
  fieldsWith,
  leadingFields,
  type NamesWith,
  type Noun,
} from './fields/field.ts';
import { assignee, assigneeParameter } from './schemas/assignees.ts';
import { expectedFields } from './schemas/changes/expected.ts';
import { filterText, filterTexts, filterWords } from './schemas/filters.ts';
import { includedLabels, labelFilter } from './schemas/labels.ts';

/** A field that lists include on demand, and that changes add to and remove from. */
type Labels = { kind: 'labels' };

/** The name of a field in rows and in filters: of `assignee_id`, it is `assignee`. */
type ShownName<Name extends string, F extends Field> = F extends { kind: 'admin' }
  ? Name extends `${infer Base}_id`
    ? Base
    : Name
  : Name;

const shownName = (name: string, { kind }: Field) => (kind === 'admin' ? name.replace(/_id$/, '') : name);

export type RowShape<N extends Noun> = {
  [Name in keyof FieldsOf<N> & string as FieldsOf<N>[Name] extends { kind: 'secret' }
    ? never
    : ShownName<Name, FieldsOf<N>[Name]>]: FieldsOf<N>[Name] extends { kind: 'admin' }
    ? typeof assignee
    : FieldsOf<N>[Name] extends Labels
      ? typeof includedLabels
      : FieldsOf<N>[Name] extends { includedWith: string }
        ? z.ZodOptional<z.core.$ZodType<RowValue<FieldsOf<N>[Name]>>>
        : FieldsOf<N>[Name] extends { kind: 'choice' }
          ? z.ZodOptional<z.core.$ZodType<boolean>>
          : z.core.$ZodType<RowValue<FieldsOf<N>[Name]>>;
};

/** The name of the schema of a row in the documentation. */
const schemaName = ({ event }: Noun) =>
  event.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

function shapeOf(
  fields: readonly (readonly [string, Field])[],
  schemaOf: (name: string, field: Field) => z.ZodType,
): Record<string, z.ZodType> {
  return Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(name, field)]));
}

/** The schemas of what lists include on demand, by the kind of their fields. */
const included: { readonly [Kind in Field['kind']]?: z.ZodType } = {
  admin: assignee,
  labels: includedLabels,
};

/** Reports whether lists include a field only on demand. */
export const isOnDemand = ({ kind, includedWith }: Field): boolean =>
  included[kind] !== undefined || includedWith !== undefined;

/** The words of `include` that add a field, where the word is not its name. */
export const inclusions = z.registry<{ readonly word: string }>();

/** Returns the schema of a field that lists add with a word of `include`. */
function addedValue(field: Field, includedWith: string): z.ZodType {
  const { about = '' } = field;
  const value = rowValue(field).optional().describe(`With \`include=${includedWith}\`: ${about}`);
  return value.register(inclusions, { word: includedWith });
}

export function rowOf<N extends Noun>(noun: N): RowSchema<N> {
  const shown = Object.entries(noun.fields)
    .filter(([, { kind }]) => kind !== 'secret')
    .map(([name, field]) => [shownName(name, field), field] as const);
  const shape = shapeOf(shown, (_name, field) =>
    field.includedWith === undefined
      ? (included[field.kind] ?? rowValue(field))
      : addedValue(field, field.includedWith),
  );
  return z.strictObject(shape).meta({ id: schemaName(noun) }) as unknown as RowSchema<N>;
}

export type RowSchema<N extends Noun> = z.ZodObject<RowShape<N>, z.core.$strict>;
export type Row<N extends Noun> = z.output<RowSchema<N>>;

type StoredName<N extends Noun> = {
  [Name in keyof FieldsOf<N> & string]: FieldsOf<N>[Name] extends
    | { kind: 'secret' }
    | { isComputed: true }
    | { includedWith: string }
    ? never
    : Name;
}[keyof FieldsOf<N> & string];

/** Returns the fields that rows have as they are stored, without secrets and what lists add with a word of their own. */
export function storedFields({ fields }: Noun): readonly (readonly [name: string, field: Field])[] {
  return Object.entries(fields).filter(
    ([, { kind, isComputed, includedWith }]) =>
      kind !== 'secret' && !isComputed && includedWith === undefined,
  );
}

/** A row as it is stored, without its secrets. */
export type StoredRow<N extends Noun> = {
  [Name in StoredName<N>]: RowValue<FieldsOf<N>[Name]>;
};

const storedRows = new WeakMap<Noun, z.ZodType>();

/** Returns the schema of a row as it is stored, always the same for a noun: zod compiles each when it is first used. */
export function storedRowOf<N extends Noun>(noun: N): z.ZodType<StoredRow<N>> {
  const known = storedRows.get(noun);
  if (known !== undefined) return known as z.ZodType<StoredRow<N>>;
  const schema = z.strictObject(shapeOf(storedFields(noun), (_name, field) => rowValue(field)));
  storedRows.set(noun, schema);
  return schema as unknown as z.ZodType<StoredRow<N>>;
}

export type IdOf<N extends Noun> = FieldsOf<N>['id'] extends { kind: 'textId' } ? string : number;

export function exampleOf<N extends Noun>({ fields }: N): Row<N> {
  const shown = Object.entries(fields).filter(([, field]) => !isOnDemand(field) && field.kind !== 'secret');
  return Object.fromEntries(shown.map(([name, { example }]) => [name, example])) as Row<N>;
}

export type CreateShape<N extends Noun> = {
  [Name in NamesWith<N, { create: unknown }>]: CreateSchema<FieldsOf<N>[Name]>;
};

export function createShape<N extends Noun>(noun: N): CreateShape<N> {
  const value = (name: string, field: Field) => createValue(name, field, field.missing ?? noun.missing);
  return shapeOf(fieldsWith(noun, 'create'), value) as CreateShape<N>;
}

/** A new row. A field that is absent has its default. */
export type NewRow<N extends Noun> = {
  readonly [Name in NamesWith<N, { create: 'required' }>]: GivenValue<FieldsOf<N>[Name]>;
} & { readonly [Name in NamesWith<N, { create: { or: string } }>]?: GivenValue<FieldsOf<N>[Name]> };

type EditName<N extends Noun> = NamesWith<N, { edit: unknown }>;

/** What changes call a field: they add to labels, and remove from them. */
type ChangeName<Name extends string, F extends Field> = F extends Labels
  ? `add_${Name}` | `remove_${Name}`
  : Name;

const changeNames = (name: string, { kind }: Field) =>
  kind === 'labels' ? [`add_${name}`, `remove_${name}`] : [name];

export type ChangeShape<N extends Noun> = {
  [Name in EditName<N> as ChangeName<Name, FieldsOf<N>[Name]>]: ChangeSchema<FieldsOf<N>[Name]>;
};

/** Returns the input of a change: every field that can be edited. Errors put the prefix before its name. */
export function changeShape<N extends Noun>(noun: N, prefix = ''): ChangeShape<N> {
  const value = (name: string, field: Field) =>
    changeValue(name, field, field.missing ?? noun.missing, `${prefix}${name}`);
  return shapeOf(changedFields(noun), value) as ChangeShape<N>;
}

/** Returns the fields that can be edited, under the names that changes have for them. */
const changedFields = (noun: Noun) =>
  leadingFields(noun, 'edit').flatMap(([name, field]) =>
    changeNames(name, field).map((changed) => [changed, field] as const),
  );

/** What a change sets. An absent field stays as it is. */
export type Changes<N extends Noun> = {
  readonly [Name in EditName<N> as ChangeName<Name, FieldsOf<N>[Name]>]?: z.output<
    ChangeSchema<FieldsOf<N>[Name]>
  >;
};

type SeenShape<N extends Noun> = {
  [Name in Exclude<StoredName<N>, 'id'>]: z.core.$ZodType<SeenValue<FieldsOf<N>[Name]>>;
};

/** Returns what the caller of a change saw of a row. */
export function expectedOf<N extends Noun>(noun: N) {
  const seen = storedFields(noun).filter(([name]) => name !== 'id');
  const [[name, { example }] = ['', { example: '' }]] = leadingFields<Noun, 'edit'>(noun, 'edit');
  const shape = shapeOf(seen, (_name, given) => seenValue(given)) as unknown as SeenShape<N>;
  return expectedFields(shape, noun.one, `${name} is now ${example}`);
}

type EventShape<N extends Noun> = {
  [Name in NamesWith<N, { event: true }>]: FieldsOf<N>[Name] extends Labels | { kind: 'choice' }
    ? z.ZodOptional<z.core.$ZodType<RowValue<FieldsOf<N>[Name]>>>
    : z.core.$ZodType<RowValue<FieldsOf<N>[Name]>>;
};

/** Returns the data of the events of one row. Its texts may be cut. Labels are absent if it has none. */
export function eventDataOf<N extends Noun>(noun: N): z.ZodObject<EventShape<N>, z.core.$strict> {
  return z.strictObject(
    shapeOf(fieldsWith(noun, 'event'), (_name, field) =>
      field.kind === 'labels' ? rowValue(field).optional() : rowValue(field),
    ) as unknown as EventShape<N>,
  );
}

export type EventDataOf<N extends Noun> = z.output<z.ZodObject<EventShape<N>, z.core.$strict>>;

/** Returns what the event of a row says of it. A new row has the initial values of the fields that it lacks. */
export function recordedOf<N extends Noun>(noun: N, row: Readonly<Record<string, unknown>>): EventDataOf<N> {
  const recorded = fieldsWith<Noun, 'event'>(noun, 'event').map(([name, field]) => {
    const value = row[name] ?? field.initial;
    return [name, Array.isArray(value) && value.length === 0 ? undefined : value];
  });
  return Object.fromEntries(recorded) as EventDataOf<N>;
}

type SetShape<N extends Noun> = {
  [Name in EditName<N> as ChangeName<Name, FieldsOf<N>[Name]>]: z.ZodOptional<
    z.core.$ZodType<RowValue<FieldsOf<N>[Name]>>
  >;
};

/** Returns what the event of a bulk change says that it set: what `changeShape` accepts. Its texts may be cut. */
export function eventSetOf<N extends Noun>(noun: N): z.ZodObject<SetShape<N>, z.core.$strict> {
  const shape = shapeOf(changedFields(noun), (_name, field) => rowValue(field).optional());
  return z.strictObject(shape) as unknown as z.ZodObject<SetShape<N>, z.core.$strict>;
}

/** What a filter becomes: several values, or one text. */
type FilterValue<F extends Field> = F extends { kind: 'word'; words: readonly (infer Word)[]; isOpen?: never }
  ? readonly Word[]
  : F extends { filter: 'some' }
    ? readonly string[]
    : string;

type FilterName<N extends Noun> = NamesWith<N, { filter: unknown }>;

/** The parameter that filters by a field. */
type FilterParameter<Name extends string, F extends Field> = F extends Labels ? 'label' : ShownName<Name, F>;

const filterParameter = (name: string, field: Field) =>
  field.kind === 'labels' ? 'label' : shownName(name, field);

export type FilterShape<N extends Noun> = {
  [Name in FilterName<N> as FilterParameter<Name, FieldsOf<N>[Name]>]: z.ZodOptional<
    z.core.$ZodType<FilterValue<FieldsOf<N>[Name]>, string>
  >;
};

/** The filters of a list by the fields of its rows, as they are stored. */
export type Filters<N extends Noun> = {
  readonly [Name in FilterName<N> as FieldsOf<N>[Name] extends Labels
    ? 'label'
    : Name]?: FieldsOf<N>[Name] extends {
    kind: 'admin';
  }
    ? string | null | undefined
    : FilterValue<FieldsOf<N>[Name]> | undefined;
};

/** Returns the parameters that select rows by their fields, without their ids. */
export function filterShape<N extends Noun>(noun: N): FilterShape<N> {
  const filters = leadingFields(noun, 'filter').map(
    ([name, field]) => [filterParameter(name, field), field] as const,
  );
  const value = (name: string, field: Field): z.ZodType => {
    const { kind, words = [], isOpen, filter } = field;
    if (kind === 'admin') return assigneeParameter;
    if (kind === 'labels') return labelFilter(noun.many);
    const description = `Only ${noun.many} with this ${name}.`;
    if (kind === 'word' && !isOpen) return filterWords(name, words, description);
    return filter === 'some' ? filterTexts(name, description) : filterText(description);
  };
  return shapeOf(filters, value) as unknown as FilterShape<N>;
}
