import { BackofficeError, factorRequired, readOnlyToken, unauthorized } from '../contract/errors.ts';
import { unknownFieldError } from '../contract/field-names.ts';
import type { LoadClass, Operation } from '../contract/operation.ts';
import type { AnyOperation } from '../contract/registry.ts';
import { idempotencyErrors, idempotencyKeyPattern, takesIdempotencyKey } from '../contract/route.ts';
import { type Actor, anonymousActor, callerOf } from './call/actor.ts';
import { changesIn, changesOf } from './call/changes.ts';
import { toFailure } from './call/failure.ts';
import { cleanInput, fieldsOf } from './call/input.ts';
import { insertBy } from './call/insert.ts';
import type { Log } from './call/log.ts';
import { checkOutput, parseInput } from './call/validate.ts';
import type { Context, Services, SessionPort } from './context.ts';
import { EventFeed } from './events/feed.ts';
import { type KeyOfCall, keyOfCall } from './idempotency/key-of-call.ts';
import { runOnce } from './idempotency/run-once.ts';
import { limitedDatabase, type RunLimited } from './load/classes.ts';
import { handlerOf } from './operations/handlers.ts';
import { StreamedJson } from './streaming/streamed-json.ts';

/** One call of an operation, as its door sees it. `execute` reads each part only when it gets to that check. */
export interface Call {
  /** Returns the current actor, or null without a valid session. Endless answers call it repeatedly. */
  authenticate(): Promise<Actor | null>;
  /** Returns the JSON body or the query parameters. */
  readInput(): Promise<unknown>;
  /** The `Idempotency-Key`, not validated. Operations that take none ignore it. */
  readonly idempotencyKey?: string | undefined;
  /** Called if the answer is that of an earlier call with the same key. */
  readonly onReplay?: () => void;
  /** Whether fields that the operation does not read are an error. */
  readonly strict?: boolean;
  readonly session: SessionPort;
  readonly address: string;
  /** The origin that the request was sent to, such as https://backoffice.example.com. Commands have none. */
  readonly origin?: string;
  /** The URL of the service as the caller sees it, such as https://example.com/backoffice. */
  readonly baseUrl?: string;
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
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
  };
  try {
    const actor = admit(operation, await call.authenticate());
    return await executeAs(actor, operation, call, services, begin);
  } catch (error) {
    throw toFailure(operation, error, call.log, hasBegun);
  }
}

/**
 * Runs an operation for an actor that may call it.
 *
 * @param begin - called before anything can be changed
 */
async function executeAs(
  actor: Actor,
  operation: AnyOperation,
  call: Call,
  services: Services,
  begin: () => void,
): Promise<unknown> {
  const input = await call.readInput();
  // Sees the input before validation, because 403 comes before 400.
  const refusal = (operation as Operation).forbid?.(actor.role, fieldsOf(input));
  if (refusal !== undefined) throw new BackofficeError(refusal);
  const cleaned = cleanInput(input);
  const key = readKey(operation, call, actor, cleaned);
  const fields = fieldsOf(cleaned);
  const unknown = call.strict ? unknownFieldError(operation, fields) : undefined;
  if (unknown !== undefined) throw new BackofficeError(unknown);
  const parsed = parseInput(operation.input, fields);

  const { session, address, origin = '', baseUrl = '', signal, log } = call;
  const hasAccess = async () => isSameActor(actor, await call.authenticate());
  let afterwards: (() => Promise<void>)[] = [];
  const run = async (access: DataAccess): Promise<unknown> => {
    afterwards = [];
    const afterCommit = (work: () => Promise<void>) => void afterwards.push(work);
    const ofCall = {
      ...access,
      afterCommit,
      actor,
      hasAccess,
      session,
      address,
      origin,
      baseUrl,
      signal,
      log,
    };
    const output = await handlerOf(operation)({ ...services, ...ofCall }, parsed);
    return isStream(output) ? output : checkOutput(operation, output);
  };
  const onReplay = () => {
    // The work may have run, and is rolled back.
    afterwards = [];
    call.onReplay?.();
  };
  signal.throwIfAborted();
  begin();
  const limits = limitsOf(operation, actor, call, services);
  const output =
    key === undefined
      ? await run(accessOf(operation, actor, call, services, limits))
      : await limits.changes(() => runWithKey(operation, key, actor, { ...call, onReplay }, services, run));
  for (const work of afterwards) {
    // The change is committed, so its caller receives the answer in any case.
    await work().catch((err) => log.error({ err, operation: operation.id }, 'work after a change failed'));
  }
  return output;
}

function admit({ allow, enrolment, method, forReadOnly }: Operation, actor: Actor | null): Actor {
  if (allow.to === 'anyone') return actor ?? anonymousActor('http');
  if (actor === null) throw new BackofficeError(unauthorized);
  if (actor.isEnrolling && !enrolment) throw new BackofficeError(factorRequired);
  if (allow.to === 'roles' && !allow.roles.includes(actor.role)) throw new BackofficeError(allow.otherwise);
  if (actor.token?.isReadOnly && method !== 'GET' && !forReadOnly) throw new BackofficeError(readOnlyToken);
  return actor;
}

/** Returns the key of the call, if it has one and the operation takes one. */
function readKey(operation: Operation, call: Call, actor: Actor, input: unknown): KeyOfCall | undefined {
  const { idempotencyKey: key } = call;
  if (key === undefined || !takesIdempotencyKey(operation)) return undefined;
  if (!idempotencyKeyPattern.test(key)) throw new BackofficeError(idempotencyErrors.invalidKey);
  return keyOfCall(key, actor, operation.id, input);
}

/** The part of the context through which a handler reads and changes data. */
type DataAccess = Pick<Context, 'db' | 'limited' | 'change' | 'insert'>;

/** What runs the work of a call when it is its turn: its reads, its changes, and what has a class of its own. */
interface CallLimits {
  readonly reads: RunLimited;
  readonly changes: RunLimited;
  readonly of: (name: LoadClass) => RunLimited;
}

function limitsOf(operation: Operation, actor: Actor, call: Call, { limiters }: Services): CallLimits {
  const caller = callerOf(actor, call.address);
  const of =
    (name: LoadClass): RunLimited =>
    (work) =>
      limiters[name].run(caller, work, call.signal);
  return { reads: of(operation.load ?? 'reads'), changes: of(operation.load ?? 'changes'), of };
}

/** Returns how a call without a key reads and changes data. */
function accessOf(
  operation: AnyOperation,
  actor: Actor,
  call: Call,
  { databases, insertBatches }: Services,
  { reads, changes, of }: CallLimits,
): DataAccess {
  const db = (operation as Operation).replica ? databases.replica : databases.primary;
  const change = changesOf(databases.primary, actor, operation, call);
  return {
    db: limitedDatabase(db, reads),
    limited: (name, work) => of(name)(() => work(db)),
    change: (work, as) => changes(() => change(work, as)),
    insert: insertBatches.of(actor, operation, call),
  };
}

/** Runs the handler once for all calls with the key. The answer is a text, so that each of them gets the same bytes. */
async function runWithKey(
  operation: AnyOperation,
  key: KeyOfCall,
  actor: Actor,
  call: Call,
  services: Services,
  run: (access: DataAccess) => Promise<unknown>,
): Promise<StreamedJson> {
  const { signal, onReplay = () => {} } = call;
  const pool = services.databases.primary;
  const text = await runOnce({ pool, key, signal, onReplay }, async (tx) => {
    const change = changesIn(tx, actor, operation, call);
    // The call has had its turn.
    const limited: DataAccess['limited'] = (_name, work) => work(tx);
    return await textOf(await run({ db: tx, limited, change, insert: insertBy(change) }));
  });
  return new StreamedJson(text);
}

function isStream(output: unknown): output is StreamedJson | EventFeed {
  return output instanceof StreamedJson || output instanceof EventFeed;
}

async function textOf(output: unknown): Promise<string> {
  return output instanceof StreamedJson ? await output.text() : JSON.stringify(output);
}

/** Compares two actors. The same account with another role is another actor, because it may see other things. */
function isSameActor(actor: Actor, now: Actor | null): boolean {
  return now !== null && now.kind === actor.kind && now.id === actor.id && now.role === actor.role;
}
