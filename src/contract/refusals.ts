import { z } from 'zod';
import { type DocumentedError, invalid } from './errors.ts';

/** The errors that a schema finds in code, or its handler. What a schema itself says needs no entry. */
export const refusals = z.registry<{
  readonly errors: readonly DocumentedError[];
  /** Whether they stand for the errors of the schema too. */
  readonly areAll?: true;
}>();

type Path = readonly PropertyKey[];

/** Returns every error of an input that its schema documents, in the order of the checks. */
export function errorsOf(schema: z.core.$ZodType, path: Path = []): readonly DocumentedError[] {
  const { errors = [], areAll } = refusals.get(schema) ?? {};
  return areAll ? errors : [...ownTexts(schema, path).map(invalid), ...innerErrors(schema, path), ...errors];
}

function ownTexts({ _zod: { def } }: z.core.$ZodType, path: Path): readonly string[] {
  const defs = [def, ...(def.checks ?? []).map((check) => check._zod.def)] as readonly Own[];
  return defs
    .map((own) => own.error?.({ code: 'custom', path: [...path, ...(own.path ?? [])], errors: [], keys: [] }))
    .filter((text) => typeof text === 'string');
}

/** What a schema or one of its checks says itself. A check may be about a field. */
interface Own {
  readonly error?: ((issue: object) => unknown) | undefined;
  readonly path?: Path;
}

function innerErrors({ _zod: { def } }: z.core.$ZodType, path: Path): readonly DocumentedError[] {
  const { shape, element, options, innerType, in: first, out } = def as Partial<Inner>;
  return [
    ...Object.entries(shape ?? {}).flatMap(([name, field]) => errorsOf(field, [...path, name])),
    ...[innerType, first, out, ...(options ?? [])].flatMap((inner) => (inner ? errorsOf(inner, path) : [])),
    ...(element ? errorsOf(element, [...path, 0]) : []),
  ];
}

/** What other schemas a schema may have, whatever its kind. */
interface Inner {
  readonly shape: Readonly<Record<string, z.core.$ZodType>>;
  readonly element: z.core.$ZodType;
  readonly options: readonly z.core.$ZodType[];
  readonly innerType: z.core.$ZodType;
  readonly in: z.core.$ZodType;
  readonly out: z.core.$ZodType;
}
