import { didYouMean } from '../contract/did-you-mean.ts';
import type { Operation } from '../contract/operation.ts';
import { type AnyOperation, operations } from '../contract/registry.ts';

/** An operation that agents may call, and its name as a tool. */
export interface ExposedTool {
  readonly name: string;
  readonly operation: AnyOperation;
  /** It changes nothing, so it is allowed to everybody who may run the operation. */
  readonly isReadOnly: boolean;
}

/** Every operation that can be a tool: all that have one answer and a caller who is signed in. */
const tools: readonly ExposedTool[] = operations.filter(canBeTool).map((operation) => ({
  // Clients accept letters, digits, `_` and `-` only.
  name: operation.id.replace('.', '_'),
  operation,
  isReadOnly: operation.method === 'GET',
}));

/** An agent must not get another access: signing in and out, factors and tokens are never tools. */
function canBeTool({ id, allow, answers }: Operation): boolean {
  return (
    allow.to !== 'anyone' && answers === undefined && !/^(session|factors|tokens|device|mail)\./.test(id)
  );
}

/** Returns the tools: those that only read, and those that are allowed. */
export function exposedTools(allowed: ReadonlySet<string>): readonly ExposedTool[] {
  return tools.filter(({ isReadOnly, operation }) => isReadOnly || allowed.has(operation.id));
}

/** Returns the tool with that name, allowed or not. */
export function toolOf(name: string): ExposedTool | undefined {
  return tools.find((tool) => tool.name === name);
}

/** Returns what is wrong with the name of an operation that is to be allowed, or undefined if nothing is. */
export function problemOfAllowed(id: string): string | undefined {
  const ids = tools.map(({ operation }) => operation.id);
  if (ids.some((known) => known === id)) return undefined;
  return operations.some((operation) => operation.id === id)
    ? `${id} cannot be a tool.`
    : `there is no operation ${id}.${didYouMean(id, ids)}`;
}
