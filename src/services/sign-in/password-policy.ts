import { invalidField } from '../../contract/errors.ts';
import { passwordIsCommon, passwordIsEmail, passwordShorterThan } from '../../contract/schemas/admins.ts';
import type { Log } from '../call/log.ts';
import { refuse } from '../call/refuse.ts';

/** Which new passwords are refused beyond what the API contract refuses. */
export interface PasswordPolicy {
  /** Whether weak passwords are refused. Otherwise they are logged. */
  readonly isStrict: boolean;
  /** How many characters a password must have, if the policy is strict. */
  readonly minLength: number;
}

/** Returns what makes a password easy to guess for somebody who knows the account, as a sentence. */
export async function weaknessOf(password: string, email: string): Promise<string | undefined> {
  const text = password.normalize('NFKC').toLowerCase();
  const [local] = email.split('@', 1);
  if (text === email || text === local) return passwordIsEmail;
  // Loaded on demand: few calls set a password, and the list would slow every start. No common one is longer.
  if (!/^\S{1,16}$/.test(text)) return undefined;
  const { commonPasswords } = await import('./common-password-list.ts');
  return commonPasswords.has(text) ? passwordIsCommon : undefined;
}

/**
 * Checks a new password of the account with that e-mail. Logs a weak one, or refuses it in strict mode.
 *
 * @throws BackofficeError
 */
export async function checkNewPassword(
  { passwordPolicy, log }: { readonly passwordPolicy: PasswordPolicy; readonly log: Log },
  password: string,
  email: string,
): Promise<void> {
  const { isStrict, minLength } = passwordPolicy;
  const isShort = isStrict && [...password].length < minLength;
  const weakness = isShort ? passwordShorterThan(minLength) : await weaknessOf(password, email);
  if (weakness === undefined) return;
  if (isStrict) refuse(invalidField('password', weakness));
  log.warn({ email }, `weak password: ${weakness}`);
}
