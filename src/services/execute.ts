import { factorRequired, intakeOnly, readOnlyToken, unauthorized } from '../contract/errors.ts';
import { unknownFieldError } from '../contract/field-names.ts';
import { insufficientPermissions, type LoadClass, type Operation } from '../contract/operation.ts';
import type { AnyOperation } from '../contract/registry.ts';
import { idempotencyErrors, idempotencyKeyPattern, takesIdempotencyKey } from '../contract/route.ts';
import { databaseBy } from '../db/connection/database.ts';
import { noteMore } from '../db/tables/accounts/api-tokens.ts';
import { type Actor, anonymousActor, callerOf } from './call/actor.ts';
import { changesOf } from './call/changes.ts';
import { toFailure } from './call/failure.ts';
import type { Log } from './call/observer.ts';
import { refuse } from './call/refuse.ts';
import { checkOutput, cleanInput, fieldsOf, parseInput } from './call/validate.ts';
import type { Context, Services, SessionPort } from './context.ts';
import { EventFeed } from './events/feed.ts';
import { type KeyOfCall, keyOfCall, runOnce } from './idempotency/run-once.ts';
import { handlerOf } from './operations/handlers.ts';
import { isStrict } from './sign-in/strict-roles.ts';
import { FileAnswer } from './streaming/file-answer.ts';
import { StreamedJson } from './streaming/streamed-json.ts';

/** One call of an operation, as its door sees it. `execute` reads each part only when it gets to that check. */
export interface Call {
  /** Returns the current actor, or null without a valid session. Endless answers call it repeatedly. */
  authenticate(): Promise<Actor | null>;
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
  try {
    const actor = admit(operation, await call.authenticate());
    const { input, key } = await readCall(operation, call, actor, services);
    call.signal.throwIfAborted();
    // From here on something may be changed.
    hasBegun = true;
    return await run(operation, call, services, actor, input, key);
  } catch (error) {
    throw toFailure(operation, error, call.log, hasBegun);
  }
}

function admit({ allow, enrolment, method, forReadOnly, intake }: Operation, actor: Actor | null): Actor {
  if (actor?.token?.isIntake) return intake ? actor : refuse(intakeOnly);
  if (allow.to === 'anyone') return actor ?? anonymousActor('http');
  if (actor === null) refuse(unauthorized);
  if (actor.isEnrolling && !enrolment) refuse(factorRequired);
  if (allow.to === 'roles' && !allow.roles.includes(actor.role)) refuse(insufficientPermissions);
  if (actor.token?.isReadOnly && method !== 'GET' && !forReadOnly) refuse(readOnlyToken);
  return actor;
}

/** Reads and validates the input of a call, and the key if the call has one and the operation takes one. */
async function readCall(operation: AnyOperation, call: Call, actor: Actor, services: Services) {
  const { rules } = services;
  const sent = await call.readInput();
  checkScope(operation, call, actor, services, fieldsOf(sent));
  // Sees the input before validation, because 403 comes before 400.
  const refusal = (operation as Operation).forbid?.(actor.role, fieldsOf(sent), isStrict({ actor, rules }));
  if (refusal !== undefined) refuse(refusal);
  const cleaned = cleanInput(sent);
  const key = takesIdempotencyKey(operation) ? call.idempotencyKey : undefined;
  if (key !== undefined && !idempotencyKeyPattern.test(key)) refuse(idempotencyErrors.invalidKey);
  const fields = fieldsOf(cleaned);
  const unknown = call.strict ? unknownFieldError(operation, fields) : undefined;
  if (unknown !== undefined) refuse(unknown);
  return {
    input: parseInput(operation.input, fields),
    key: key === undefined ? undefined : keyOfCall(key, actor, operation.id, cleaned),
  };
}

/** Refuses what an intake token may not send. Of other tokens, notes the first call that such a token could not make. */
function checkScope(
  { intake }: Operation,
  { log }: Call,
  { token }: Actor,
  { databases }: Services,
  sent: Readonly<Record<string, unknown>>,
): void {
  if (token === undefined || (typeof intake === 'function' ? intake(sent) : intake)) return;
  if (token.isIntake) refuse(intakeOnly);
  if (token.didMore) return;
  noteMore(databases.primary, token.id).catch((err: unknown) =>
    log.warn({ err }, 'use of a token not noted'),
  );
}

/** The part of the context through which a handler reads and changes data. */
type DataAccess = Pick<Context, 'db' | 'limited' | 'change' | 'insertIssue'>;

async function run(
  operation: AnyOperation,
  call: Call,
  services: Services,
  actor: Actor,
  input: unknown,
  key: KeyOfCall | undefined,
): Promise<unknown> {
  const { session, address, origin = '', baseUrl = '', signal, log } = call;
  const { databases, limiters, insertIssueOf } = services;
  const { load, replica } = operation as Operation;
  const caller = callerOf(actor, address);
  const inTurn = <T>(name: LoadClass, work: () => Promise<T>) => limiters[name].run(caller, work, signal);
  let afterwards: (() => Promise<void>)[] = [];

  const handle = async (access: DataAccess): Promise<unknown> => {
    afterwards = [];
    const output = await handlerOf(operation)(
      {
        ...services,
        ...access,
        afterCommit: (work) => void afterwards.push(work),
        hasAccess: async () => isSameActor(actor, await call.authenticate()),
        actor,
        session,
        address,
        origin,
        baseUrl,
        signal,
        log,
      },
      input,
    );
    const isStream = [StreamedJson, EventFeed, FileAnswer].some((kind) => output instanceof kind);
    return isStream ? output : checkOutput(operation, output);
  };

  const handleAlways = async () => {
    const db = replica ? databases.replica : databases.primary;
    const change = changesOf(databases.primary, actor, operation, call);
    return await handle({
      // Each statement and each transaction waits for its turn.
      db: databaseBy((work) => inTurn(load ?? 'reads', () => work(db))),
      limited: (name, work) => inTurn(name, () => work(db)),
      change: (work, as) => inTurn(load ?? 'changes', () => change(work, as)),
      insertIssue: insertIssueOf(actor, operation, call),
    });
  };

  /** Runs the handler once for all calls with the key. The answer is a text, so that each of them gets the same bytes. */
  const handleOnce = async (keyOfAll: KeyOfCall) => {
    const onReplay = () => {
      // The work may have run, and is rolled back.
      afterwards = [];
      call.onReplay?.();
    };
    const text = await runOnce({ pool: databases.primary, key: keyOfAll, signal, onReplay }, async (tx) => {
      const change = changesOf(tx, actor, operation, call);
      // The call has had its turn.
      const limited: DataAccess['limited'] = (_name, work) => work(tx);
      const output = await handle({ db: tx, limited, change, insertIssue: undefined });
      return output instanceof StreamedJson ? await output.text() : JSON.stringify(output);
    });
    return new StreamedJson(text);
  };

  const output =
    key === undefined ? await handleAlways() : await inTurn(load ?? 'changes', () => handleOnce(key));
  for (const work of afterwards) {
    // The change is committed, so its caller receives the answer in any case.
    await work().catch((err) => log.error({ err, operation: operation.id }, 'work after a change failed'));
  }
  return output;
}

/** Compares two actors. The same account with another role is another actor, because it may see other things. */
function isSameActor(actor: Actor, now: Actor | null): boolean {
  return now !== null && now.kind === actor.kind && now.id === actor.id && now.role === actor.role;
}
