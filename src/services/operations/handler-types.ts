import type { DoneOf, OperationId, ParsedInputOf, PendingOf } from '../../contract/registry.ts';
import type { Pending } from '../call/validate.ts';
import type { Context } from '../context.ts';
import type { EventFeed } from '../events/feed.ts';
import type { FileAnswer } from '../streaming/file-answer.ts';
import type { StreamedJson } from '../streaming/streamed-json.ts';

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

type Answer<Id extends OperationId> =
  | Promise<
      DeepReadonly<DoneOf<Id>> | Pending<DeepReadonly<PendingOf<Id>>> | StreamedJson | EventFeed | FileAnswer
    >
  | ({ success: true } extends DoneOf<Id> ? Promise<void> : never);

/** Does what an operation says. The input is what its schema has parsed. Without a result, the answer is `{ success: true }`. */
export type Handler<Id extends OperationId> = (context: Context, input: ParsedInputOf<Id>) => Answer<Id>;

/** The handlers of one noun, by operation id. Optional here: `handlers.ts` reports a missing one by its id. */
export type HandlersOf<Noun extends string> = {
  readonly [Id in Extract<OperationId, `${Noun}.${string}`>]?: Handler<Id>;
};
