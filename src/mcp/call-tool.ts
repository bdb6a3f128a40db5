import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { BackofficeError } from '../contract/errors.ts';
import { readsQuery } from '../contract/operation.ts';
import type { AnyOperation } from '../contract/registry.ts';
import { cleanInput } from '../services/call/validate.ts';
import type { ExposedTool } from './exposed-tools.ts';
import { defaultLimit, takesDefaultLimit, toolSchemaOf } from './tool-schema.ts';

/** Bytes of an answer. Longer ones fill the memory of an agent and of this process. */
const maxAnswerBytes = 4 * 1024 * 1024;
/** Bytes of a call's arguments as JSON, as for a request's body. */
const maxInputBytes = 1024 * 1024;

/** Runs an operation and writes the JSON text of its answer in pieces. */
export type RunOperation = (
  operation: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  write: (text: string) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>;

export interface ToolOptions {
  /** The ids of the operations that may be called although they change data. */
  readonly allowed: ReadonlySet<string>;
  /** Says how an operator allows an operation. */
  readonly howToAllow: (id: string) => string;
  readonly run: RunOperation;
  /** Returns the sentence that describes an error. */
  readonly explain: (error: unknown) => string;
}

/** Calls a tool. Resolves with an error result if the operation fails, so that the agent can read why. */
export async function callTool(
  tool: ExposedTool,
  given: Readonly<Record<string, unknown>>,
  { allowed, howToAllow, run, explain }: ToolOptions,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { operation, isReadOnly } = tool;
  if (!isReadOnly && !allowed.has(operation.id)) {
    return failure(`${operation.id} is not allowed to agents. ${howToAllow(operation.id)}`, 'forbidden');
  }
  const pieces: string[] = [];
  let bytes = 0;
  const write = async (piece: string) => {
    bytes += Buffer.byteLength(piece);
    if (bytes > maxAnswerBytes) throw new AnswerTooLarge();
    pieces.push(piece);
  };
  try {
    // JSON.stringify would overflow the stack on what is nested too deep.
    cleanInput(given);
    if (Buffer.byteLength(JSON.stringify(given)) > maxInputBytes) {
      return failure('The arguments must not be larger than 1 MiB.', 'too_large');
    }
    await run(operation, inputOf(operation, given), write, signal);
  } catch (error) {
    // An operation that fails wraps the error of its reader.
    if (bytes > maxAnswerBytes) return failure(new AnswerTooLarge().message, 'too_large');
    return failure(explain(error), error instanceof BackofficeError ? error.code : 'failed');
  }
  const text = pieces.join('');
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

/** Returns the input of an operation. Agents often send null for a parameter that they leave out. */
function inputOf(operation: AnyOperation, given: Readonly<Record<string, unknown>>) {
  const input = readsQuery(operation)
    ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
    : given;
  const { limit = '' } = input;
  return limit === '' && takesDefaultLimit(toolSchemaOf(operation))
    ? { ...input, limit: defaultLimit }
    : input;
}

class AnswerTooLarge extends Error {
  constructor() {
    super('The answer is larger than 4 MiB. Ask for fewer rows with limit.');
  }
}

function failure(text: string, code: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }], structuredContent: { error: text, code } };
}
