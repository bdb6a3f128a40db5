import { BackofficeError } from '../../src/contract/errors.ts';
import { remoteAccess } from '../access/remote.ts';
import { serverAddress } from '../access/target.ts';
import { isSignedOut, sentenceOf } from '../failures.ts';
import { type Finding, failed, ok } from './finding.ts';
import { judgeClock } from './server-facts.ts';

const timeoutMs = 5_000;

/** Checks that the server that commands work through is ready and accepts the token. */
export async function checkServer(server: string, token: string | undefined): Promise<Finding[]> {
  const address = serverAddress(server);
  const askedAt = Date.now();
  const ready = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => undefined,
  );
  if (ready === undefined) {
    return [
      failed('server', `${address} does not answer`, 'Check the address, and that the server is running.'),
    ];
  }
  const { status } = ready;
  if (!isReadiness(await ready.json().catch(() => undefined))) {
    return [
      failed(
        'server',
        `${address} is not a Backoffice server: it answers ${status} without its readiness`,
        'Check the address.',
      ),
    ];
  }
  const readiness = ready.ok
    ? ok('server', `${address} is ready`)
    : failed('server', `${address} answers ${status}`, 'Run `backoffice doctor` on its machine.');
  return [readiness, ...checkClock(ready, askedAt), await checkToken(address, token)];
}

/** Reports whether a document is what `/readyz` answers. */
function isReadiness(document: unknown): boolean {
  return typeof document === 'object' && document !== null && 'status' in document;
}

/** Compares the clocks. The server tells its time in whole seconds, some time between the question and the answer. */
function checkClock({ headers }: Response, askedAt: number): Finding[] {
  const toldAt = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(toldAt)) return [];
  const earliest = askedAt - 1_000;
  const latest = Date.now();
  const nearest = Math.min(Math.max(toldAt, earliest), latest);
  return [judgeClock('server', toldAt - nearest)];
}

async function checkToken(server: string, token: string | undefined): Promise<Finding> {
  try {
    await remoteAccess(server, token).call('issues.list', { limit: 1 });
    return ok('token', 'the server accepts it');
  } catch (error) {
    return failed('token', sentenceOf(error), fixOf(error));
  }
}

/** Only a token that the server refuses is to blame. */
function fixOf(error: unknown): string {
  if (isSignedOut(error)) return 'Run `backoffice tokens create` on its machine, and set BACKOFFICE_TOKEN.';
  if (!(error instanceof BackofficeError)) return 'Run `backoffice doctor` again once the server answers.';
  if (error.code === 'forbidden') return 'Use a token that may do what your commands do.';
  if (error.code === 'rate_limited') return 'Wait a moment, then run `backoffice doctor` again.';
  return 'Run `backoffice doctor` on its machine.';
}
