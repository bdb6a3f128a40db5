import { z } from 'zod';
import { type DocumentedError, forbidden } from './errors.ts';
import type { EventType } from './event-types.ts';
import { errorsOf } from './refusals.ts';
import { success } from './schemas/fields.ts';
import { type Role, roles } from './vocabulary.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The classes of work that limit each other. `outside` waits for a password hash or another server. `contact` is what visitors send. */
export type LoadClass = 'reads' | 'changes' | 'lists' | 'searches' | 'bulk' | 'outside' | 'contact';

/** The fields of an answer that hold a list; of an answer with several forms, those of each. */
type ListField<Answer> = unknown extends Answer
  ? string
  : Answer extends unknown
    ? { [Field in keyof Answer]: Answer[Field] extends readonly unknown[] ? Field : never }[keyof Answer] &
        string
    : never;

/** What an operation says of itself besides its route and who may call it. */
interface Declaration<
  Id extends string,
  Input extends z.ZodType,
  Output extends z.ZodType,
  Rows extends string,
  Pending extends z.ZodType,
> {
  /** `<plural noun>.<verb>`, unique in the registry. */
  readonly id: Id;
  /** One line, in the imperative, for help texts and documentation. */
  readonly summary: string;
  /** What a caller should know besides the summary: effects, limits, who may do what. In Markdown. */
  readonly description: string;
  /**
   * Refuses a role depending on the input, which is not validated yet: the contract puts 403 before 400. `strict` says
   * whether the strict rules hold for the caller.
   */
  readonly forbid?: (
    role: Role,
    input: Readonly<Record<string, unknown>>,
    strict: boolean,
  ) => DocumentedError | undefined;
  /** The query parameters of a GET or DELETE, the JSON body of a POST, PUT or PATCH. */
  readonly input: Input;
  /** A DELETE whose input is a JSON body, because it has a secret. It takes `id` from the query too. */
  readonly inBody?: true | undefined;
  /** By default `{ success: true }`, the answer of a change without other results. */
  readonly output?: Output;
  /** The answer if the caller has to do something first. Over HTTP, its status is 202. */
  readonly pending?: Pending;
  /** `events`: the answer is a stream of server-sent events. Following them keeps no session alive. `file`: bytes. */
  readonly answers?: 'events' | 'file';
  /** The body may be a mail (`message/rfc822`): the field `message` gets its bytes in base64. */
  readonly takesMail?: true;
  /** What the handler refuses. The errors of the input are added when they are first read, so that no start waits. */
  readonly errors?: readonly DocumentedError[] | undefined;
  /** The text of a 500. Without one, it is the safe message of the underlying failure (contract section 7). */
  readonly failure?: string;
  /** The events that the operation causes, if it changes data. Each change is recorded in its transaction. */
  readonly changes?: readonly EventType[];
  /** The field of the answer that holds the rows, for a list that is streamed or read page by page. */
  readonly rows?: Rows;
  /** A browser may keep the answer, and asks whether it has changed. Not if it has secrets, or is for some roles. */
  readonly storable?: true;
  /** A read replica may answer. Never what decides who may do what, or what a change compares with. */
  readonly replica?: true;
  /** The answer says only that the call was accepted. Over HTTP, its status is 202. */
  readonly accepted?: true;
  /** It adds something for a caller who does not get its id. Over HTTP, its status is 201. */
  readonly created?: true;
  /**
   * A POST that takes no `Idempotency-Key`: it checks the caller's password, and must count a wrong one, or what it takes
   * counts once without a key.
   */
  readonly unkeyed?: true;
  /** A session that is limited to setting up a second factor may call it. */
  readonly enrolment?: true;
  /** A token that may only read may call it although it changes data. */
  readonly forReadOnly?: true;
  /** A token of the scope `intake` may call it, if its input is so. */
  readonly intake?: true | ((input: Readonly<Record<string, unknown>>) => boolean);
  /** It may be sent again without a risk although it is no read. */
  readonly repeatable?: true;
  /** Which limits its work has. By default that of `reads` for a GET, and of `changes` for all others. */
  readonly load?: LoadClass;
  /** The answer may hold secrets beside texts that others choose, so it is not compressed. */
  readonly confidential?: true;
  /** The output is `{ success: true }` by default. */
  readonly example?: { readonly input?: z.input<Input>; readonly output?: z.output<Output> };
  readonly otherExamples?: Readonly<
    Record<string, { readonly input?: z.input<Input>; readonly output?: z.output<Output> }>
  >;
}

/** Something that the service does. Routes, documents, the client, commands and tests are derived from it. */
export interface Operation<
  Id extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Rows extends string = string,
  Pending extends z.ZodType = z.ZodType,
> extends Declaration<Id, Input, Output, Rows, Pending> {
  readonly method: Method;
  readonly path: string;
  readonly allow: AccessRule;
  readonly output: Output;
}

/** Declares an operation and keeps its exact types. */
export function defineOperation<
  const Id extends string,
  Input extends z.ZodType,
  Output extends z.ZodType = typeof success,
  const Rows extends ListField<z.output<Output>> = never,
  Pending extends z.ZodType = z.ZodNever,
>(
  method: Method,
  path: string,
  allow: AccessRule,
  declared: Declaration<Id, Input, Output, Rows, Pending>,
): Operation<Id, Input, Output, Rows, Pending> {
  const { errors: refused = [], example, input } = declared;
  let errors: readonly DocumentedError[] | undefined;
  const operation = {
    output: success,
    ...declared,
    method,
    path,
    allow,
    ...(example === undefined ? {} : { example: { output: { success: true }, ...example } }),
  } as unknown as Operation<Id, Input, Output, Rows, Pending>;
  return Object.defineProperty(operation, 'errors', {
    enumerable: true,
    get: () => (errors ??= withoutRepeats([...errorsOf(input), ...refused])),
  });
}

const withoutRepeats = (errors: readonly DocumentedError[]) => [
  ...new Map(errors.map((error) => [error.text, error])).values(),
];

/** Reports whether an operation takes its input from the query string, not from a JSON body. */
export function readsQuery({ method, inBody }: Pick<Operation, 'method' | 'inBody'>): boolean {
  return method === 'GET' || (method === 'DELETE' && !inBody);
}

/** What the contract has of each path. */
const contractMethods: Readonly<Record<string, readonly Method[]>> = {
  '/api/admin/issues': ['GET', 'POST', 'PUT'],
  '/api/admin/conversations': ['GET', 'POST'],
  '/api/admin/settings': ['GET', 'PUT'],
  '/api/admin/admins': ['GET', 'POST', 'PUT', 'DELETE'],
};

/** Reports whether an operation is one of the contract, which makes a body that is not JSON a 500 (section 7). */
export function isOfContract({ method, path }: Pick<Operation, 'method' | 'path'>): boolean {
  return contractMethods[path]?.includes(method) === true;
}

/** Reports whether every failure of an operation is a 500, also one that passes: so it is on the paths of the contract. */
export function failsWith500({ path }: Pick<Operation, 'path'>): boolean {
  return path in contractMethods;
}

/** Says who may call an operation: anyone, any valid session, or sessions of some roles. */
export type AccessRule =
  | { readonly to: 'anyone' }
  | { readonly to: 'session' }
  | { readonly to: 'roles'; readonly roles: readonly Role[] };

export const insufficientPermissions: DocumentedError = forbidden('Insufficient permissions.');

/** Operations without a session: sign-ins, and what follows from the link in a mail or the code of a device. */
export const anyone: AccessRule = { to: 'anyone' };

/** Contract section 5: "any valid session". */
export const anySession: AccessRule = { to: 'session' };

/** Contract section 5: the roles that may create and delete admins. */
export const managers: AccessRule = { to: 'roles', roles: ['superadmin', 'admin'] };
export const superadmins: AccessRule = { to: 'roles', roles: ['superadmin'] };

export const roleSchema = z.enum(roles);

/** Maps `superadmin` and `user` to themselves and anything else to `admin` (contract 4.9). */
export function toRole(value: unknown): Role {
  return value === 'superadmin' || value === 'user' ? value : 'admin';
}
