import { remoteAccess } from '../access/remote.ts';
import { sentenceOf } from '../failures.ts';
import { type Finding, failed, ok } from './finding.ts';

const timeoutMs = 5_000;

/** Checks that the server that commands work through is ready and accepts the token. */
export async function checkServer(server: string, token: string | undefined): Promise<Finding[]> {
  const address = server.replace(/\/+$/, '');
  const ready = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => undefined,
  );
  if (ready === undefined) {
    return [
      failed(
        'server',
        `${address} does not answer`,
        'Check --server or BACKOFFICE_SERVER, and that the server is running.',
      ),
    ];
  }
  const readiness = ready.ok
    ? ok('server', `${address} is ready`)
    : failed('server', `${address} answers ${ready.status}`, 'Run `backoffice doctor` on its machine.');
  return [readiness, await checkToken(address, token)];
}

async function checkToken(server: string, token: string | undefined): Promise<Finding> {
  try {
    await remoteAccess(server, token).call('issues.list', { limit: 1 });
    return ok('token', 'the server accepts it');
  } catch (error) {
    return failed(
      'token',
      sentenceOf(error),
      'Run `backoffice tokens create` on its machine, and set BACKOFFICE_TOKEN.',
    );
  }
}
