import { z } from 'zod';
import type { AccessRule } from '../../contract/access-rules.ts';
import { BackofficeError, invalid, unauthorized } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { AnyOperation } from '../../contract/registry.ts';
import { describeDatabaseError } from '../../db/connection/database-errors.ts';
import { EventFeed } from '../events/feed.ts';
import { handlerOf } from '../operations/handlers.ts';
import { StreamedJson } from '../streaming/streamed-json.ts';
import { type Actor, nobody } from './actor.ts';
import { changesOf } from './changes.ts';
import type { Context, Services, SessionPort } from './context.ts';
import { cleanInput, fieldsOf } from './input.ts';
import type { Log } from './log.ts';

/** One call of an operation, as its door sees it. Nothing of it is read before its turn comes. */
export interface Call {
  /** Who calls, as of now; null without a valid session. An answer that goes on asks it again and again. */
  authenticate(): Promise<Actor | null>;
  /** The JSON body or the query parameters. */
  readInput(): Promise<unknown>;
  readonly session: SessionPort;
  readonly address: string;
  /** Aborts when the caller has been told that it took too long: what has not been done by then is not done. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * Runs an operation. The only place that knows the order of the checks (contract section 7): session 401, role 403,
 * reading and validation 400, then the handler with its 403 and 409, and a checked output.
 *
 * @throws BackofficeError and nothing else: an unexpected failure is logged here, and what is thrown bears the
 *   operation's own text or a safe message
 */
export async function execute(operation: AnyOperation, call: Call, services: Services): Promise<unknown> {
  try {
    const actor = admit(operation.allow, await call.authenticate());
    const input = await call.readInput();
    // The input as it came: its own faults are 400, and 403 comes first.
    const refusal = (operation as Operation).refuse?.(actor.role, fieldsOf(input));
    if (refusal !== undefined) throw new BackofficeError(refusal);
    const fields = fieldsOf(cleanInput(input));

    const { session, address, signal, log } = call;
    const db = (operation as Operation).replica ? services.databases.replica : services.databases.primary;
    const change = changesOf(services.databases.primary, actor, operation, call);
    const hasAccess = async () => isSame(actor, await call.authenticate());
    const context: Context = { ...services, db, change, actor, hasAccess, session, address, signal, log };
    signal.throwIfAborted();
    const output = await handlerOf(operation)(context, parse(operation.input, fields));
    const isStream = output instanceof StreamedJson || output instanceof EventFeed;
    return isStream ? output : check(operation, output);
  } catch (error) {
    throw toFailure(operation, error, call.log);
  }
}

/**
 * What a caller is told of an error. Errors that are meant for the caller pass; anything else is logged in full and
 * becomes a `failed` with the operation's text (contract section 7, the rows of 500).
 */
export function toFailure(
  operation: Pick<Operation, 'id' | 'failure'>,
  error: unknown,
  log: Log,
): BackofficeError {
  if (error instanceof BackofficeError) {
    return error.code === 'failed' && operation.failure !== undefined
      ? new BackofficeError({ code: 'failed', text: operation.failure }, { cause: error })
      : error;
  }
  log.error({ err: error, operation: operation.id }, 'operation failed');
  const text = operation.failure ?? describeDatabaseError(error) ?? 'An unexpected error occurred.';
  return new BackofficeError({ code: 'failed', text }, { cause: error });
}

function admit(allow: AccessRule, actor: Actor | null): Actor {
  if (allow.to === 'anyone') return actor ?? nobody('http');
  if (actor === null) throw new BackofficeError(unauthorized);
  if (allow.to === 'roles' && !allow.roles.includes(actor.role)) throw new BackofficeError(allow.otherwise);
  return actor;
}

/** With another role it is another actor, who may know other things. */
function isSame(actor: Actor, now: Actor | null): boolean {
  return now !== null && now.kind === actor.kind && now.id === actor.id && now.role === actor.role;
}

/** The first problem of an input is its answer: the schemas declare their fields in the contract's order. */
function parse(schema: z.ZodType, fields: Readonly<Record<string, unknown>>): unknown {
  const result = schema.safeParse(fields, { error: describeIssue });
  if (result.success) return result.data;
  throw new BackofficeError(invalid(result.error.issues[0]?.message ?? 'The request is not valid.'));
}

/** The sentence for a problem that the contract has no text for; it names the field. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const field = issue.path?.join('.') ?? '';
  return issue.code === 'invalid_type' ? `${field} must be a ${issue.expected}.` : undefined;
}

function check(operation: Operation, output: unknown): unknown {
  const result = operation.output.safeParse(output);
  if (!result.success) throw new Error(`${operation.id} answered wrongly: ${z.prettifyError(result.error)}`);
  // Not the parsed copy: zod's records drop a key such as __proto__, and the schemas transform nothing.
  return output;
}
