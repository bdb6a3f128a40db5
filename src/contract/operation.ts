import type { z } from 'zod';
import type { AccessRule } from './access-rules.ts';
import type { DocumentedError } from './errors.ts';
import type { EventType, Role } from './vocabulary.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The fields of an answer that hold a list; of an answer with several forms, those of each. */
type ListField<Answer> = unknown extends Answer
  ? string
  : Answer extends unknown
    ? { [Field in keyof Answer]: Answer[Field] extends readonly unknown[] ? Field : never }[keyof Answer] &
        string
    : never;

/**
 * One thing that the service does. HTTP routes, the OpenAPI document, the typed client, CLI commands and the tests
 * are all made from these.
 */
export interface Operation<
  Id extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Rows extends string = string,
> {
  /** `<plural noun>.<verb>`, unique in the registry. */
  readonly id: Id;
  /** One line, in the imperative, for help texts and documentation. */
  readonly summary: string;
  readonly method: Method;
  readonly path: string;
  readonly allow: AccessRule;
  /**
   * A role rule that depends on what is asked; it sees the input before it is validated, because the contract puts
   * 403 before 400. Returns the error to answer, or undefined where there is none.
   */
  readonly refuse?: (role: Role, input: Readonly<Record<string, unknown>>) => DocumentedError | undefined;
  /** The query parameters of a GET or DELETE, the JSON body of a POST or PUT. */
  readonly input: Input;
  readonly output: Output;
  /**
   * `events`: an answer without an end, server-sent events whose data are of the schema `output`. Otherwise it is one
   * document. Who only follows does not count as present: it keeps no session from running out.
   */
  readonly answers?: 'events';
  /** The documented errors beside those of `allow`, for the documentation and the tests. */
  readonly errors?: readonly DocumentedError[];
  /** The text of a 500. Without one the answer is the underlying failure's own, safe, message (contract section 7). */
  readonly failure?: string;
  /** What it causes, for an operation that changes data; each change is recorded in its transaction. */
  readonly changes?: readonly EventType[];
  /** The field of the answer that holds the rows, for a list that is streamed or read page by page. */
  readonly rows?: Rows;
  /** A list or an aggregate that a read replica may answer. */
  readonly replica?: true;
  readonly example?: { readonly input?: z.input<Input>; readonly output: z.output<Output> };
  /** Further requests and answers that are worth showing, by a title of each. */
  readonly otherExamples?: Readonly<
    Record<string, { readonly input?: z.input<Input>; readonly output?: z.output<Output> }>
  >;
}

/** Declares an operation, keeping its exact types. */
export function defineOperation<
  const Id extends string,
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Rows extends ListField<z.output<Output>> = never,
>(operation: Operation<Id, Input, Output, Rows>): Operation<Id, Input, Output, Rows> {
  return operation;
}

/** Whether an operation takes its input from the query string (else from a JSON body). */
export function readsQuery(operation: Pick<Operation, 'method'>): boolean {
  return operation.method === 'GET' || operation.method === 'DELETE';
}
