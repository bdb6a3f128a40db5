import { z } from 'zod';
import type { AccessRule } from '../contract/access-rules.ts';
import { BackofficeError, invalid, unauthorized } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { AnyOperation } from '../contract/registry.ts';
import { describeDatabaseError } from '../db/connection/database-errors.ts';
import { type Actor, anonymousActor } from './call/actor.ts';
import { changesOf } from './call/changes.ts';
import { cleanInput, fieldsOf } from './call/input.ts';
import type { Log } from './call/log.ts';
import type { Context, Services, SessionPort } from './context.ts';
import { EventFeed } from './events/feed.ts';
import { handlerOf } from './operations/handlers.ts';
import { StreamedJson } from './streaming/streamed-json.ts';

/** One call of an operation, as its door sees it. `execute` reads each part only when it gets to that check. */
export interface Call {
  /** Returns the current actor, or null without a valid session. Endless answers call it repeatedly. */
  authenticate(): Promise<Actor | null>;
  /** Returns the JSON body or the query parameters. */
  readInput(): Promise<unknown>;
  readonly session: SessionPort;
  readonly address: string;
  /** Aborts when the caller has received a timeout error. Nothing is changed after that. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * Runs an operation. The only place with the order of the checks (contract section 7): session 401, role 403, reading
 * and validation 400, then the handler with its 403 and 409, then the check of the output.
 *
 * @throws BackofficeError and nothing else: an unexpected error is logged and replaced by one with the operation's own
 *   text or a safe message
 */
export async function execute(operation: AnyOperation, call: Call, services: Services): Promise<unknown> {
  try {
    const actor = admit(operation.allow, await call.authenticate());
    const input = await call.readInput();
    // Sees the input before validation, because 403 comes before 400.
    const refusal = (operation as Operation).forbid?.(actor.role, fieldsOf(input));
    if (refusal !== undefined) throw new BackofficeError(refusal);
    const fields = fieldsOf(cleanInput(input));

    const { session, address, signal, log } = call;
    const db = (operation as Operation).replica ? services.databases.replica : services.databases.primary;
    const change = changesOf(services.databases.primary, actor, operation, call);
    const hasAccess = async () => isSameActor(actor, await call.authenticate());
    const context: Context = { ...services, db, change, actor, hasAccess, session, address, signal, log };
    signal.throwIfAborted();
    const output = await handlerOf(operation)(context, parse(operation.input, fields));
    const isStream = output instanceof StreamedJson || output instanceof EventFeed;
    return isStream ? output : checkOutput(operation, output);
  } catch (error) {
    throw toFailure(operation, error, call.log);
  }
}

/**
 * Returns the error for the caller. A BackofficeError stays as it is; any other error is logged in full and becomes a
 * `failed` with the operation's text (contract section 7, the rows of 500).
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
  if (allow.to === 'anyone') return actor ?? anonymousActor('http');
  if (actor === null) throw new BackofficeError(unauthorized);
  if (allow.to === 'roles' && !allow.roles.includes(actor.role)) throw new BackofficeError(allow.otherwise);
  return actor;
}

/** Compares two actors. The same account with another role is another actor, because it may see other things. */
function isSameActor(actor: Actor, now: Actor | null): boolean {
  return now !== null && now.kind === actor.kind && now.id === actor.id && now.role === actor.role;
}

/** Rejects with the first problem of the input: the schemas declare their fields in the contract's order. */
function parse(schema: z.ZodType, fields: Readonly<Record<string, unknown>>): unknown {
  const result = schema.safeParse(fields, { error: describeIssue });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const error = invalid(issue?.message ?? 'The request is not valid.');
  throw new BackofficeError({ ...error, param: issue?.path.map(String).join('.') });
}

/** Returns a sentence that names the field, for a problem that the contract has no text for. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const field = issue.path?.join('.') ?? '';
  return issue.code === 'invalid_type' ? `${field} must be a ${issue.expected}.` : undefined;
}

function checkOutput(operation: Operation, output: unknown): unknown {
  const result = operation.output.safeParse(output);
  if (!result.success)
    throw new Error(
      `The output of ${operation.id} does not match its schema: ${z.prettifyError(result.error)}`,
    );
  // Not the parsed copy: zod's records drop keys such as __proto__. The schemas transform nothing.
  return output;
}
