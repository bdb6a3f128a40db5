import { hostname } from 'node:os';
import { BackofficeError } from '../../src/contract/errors.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { wait } from '../../src/shared/waiting.ts';
import { FailedError, NotConnectedError, StoppedError } from '../errors.ts';
import { openBrowser } from '../terminal/environment.ts';
import { remark } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import type { Access } from './access.ts';

type Device = OutputOf<'device.create'>;

/** By how many seconds a device that asks too often waits longer (RFC 8628, section 3.5). */
const slowDownSeconds = 5;

/**
 * Asks for a token that a person approves in a browser (RFC 8628).
 *
 * @param opens - whether to open the browser of this machine
 * @param stop - ends the wait
 */
export async function signInByBrowser(access: Access, opens: boolean, stop: AbortSignal): Promise<string> {
  const device = await access.call('device.create', { name: `backoffice on ${hostname()}`.slice(0, 100) });
  const page = new URL(device.verification_uri);
  page.searchParams.set('code', device.user_code);
  remark(
    `Your code is ${printable(device.user_code)}. Compare it with the one on this page, and sign in there:`,
  );
  remark(`  ${printable(page.href)}`);
  if (opens) await openBrowser(page.href);
  return await takeToken(access, device, stop);
}

async function takeToken(access: Access, device: Device, stop: AbortSignal): Promise<string> {
  const expiresAt = performance.now() + device.expires_in * 1_000;
  let seconds = device.interval;
  for (;;) {
    await wait(seconds * 1_000, stop);
    if (stop.aborted) throw new StoppedError('Stopped. Nobody is signed in.', stop);
    try {
      return (await access.call('device.token', { device_code: device.device_code })).token;
    } catch (error) {
      // The connection may be back before the code expires.
      if (error instanceof NotConnectedError && performance.now() < expiresAt) continue;
      if (!(error instanceof BackofficeError)) throw error;
      if (error.code === 'slow_down') seconds += slowDownSeconds;
      else if (error.code !== 'authorization_pending') throw explained(error);
    }
  }
}

/** The errors of RFC 8628 have codes for texts. */
function explained(error: BackofficeError): Error {
  if (error.code === 'expired_token')
    return new FailedError('The code has expired. Run `backoffice login` again.');
  if (error.code !== 'access_denied') return error;
  return new BackofficeError({ code: 'access_denied', text: 'The sign-in was refused in the browser.' });
}
