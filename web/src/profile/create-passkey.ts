import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';
import { ToldError } from '../parts/failure.tsx';

/** What the browser's refusals mean. */
const refusals: Readonly<Record<string, string>> = {
  NotAllowedError: 'The passkey was not confirmed. Try again.',
  AbortError: 'The passkey was not confirmed. Try again.',
  InvalidStateError: 'This device has a passkey of this account already.',
};

/** Asks the browser for a passkey. */
export async function createPasskey(options: object | undefined): Promise<Record<string, unknown>> {
  try {
    const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
    return { ...(await startRegistration({ optionsJSON })) };
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new ToldError(refusals[name] ?? 'The browser could not make a passkey for this site.');
  }
}
