import { invalidField } from '../../contract/errors.ts';
import { passwordIsCommon, passwordIsEmail, passwordShorterThan } from '../../contract/schemas/admins.ts';
import type { Log } from '../call/observer.ts';
import { refuse } from '../call/refuse.ts';

/** What the operator has set about accounts. */
export interface Rules {
  /** Whether roles have less than the API contract gives them, and weak passwords are refused instead of logged. */
  readonly strictRoles: boolean;
  /** How many characters a new password must have with strict roles. */
  readonly passwordMinLength: number;
  /** How long a session lasts without a request. */
  readonly sessionIdleSeconds: number;
}

/** How many of the most common passwords are weak. */
const maxCommon = 10_000;

/** Returns what makes a password easy to guess for somebody who knows the account, as a sentence. */
export async function weaknessOf(password: string, email: string): Promise<string | undefined> {
  const text = password.normalize('NFKC').toLowerCase();
  const [local] = email.split('@', 1);
  if (text === email || text === local) return passwordIsEmail;
  // Loaded on demand: few calls set a password, and the list would slow every start. No common one is longer.
  if (!/^\S{1,16}$/.test(text)) return undefined;
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  // In lower case, the most common of leaks first.
  return dictionary['passwords-common'].slice(0, maxCommon).includes(text) ? passwordIsCommon : undefined;
}

/** Checks a new password of the account with that e-mail. Logs a weak one, or refuses it in strict mode. */
export async function checkNewPassword(
  { rules, log }: { readonly rules: Rules; readonly log: Log },
  password: string,
  email: string,
): Promise<void> {
  const { strictRoles: isStrict, passwordMinLength } = rules;
  const isShort = isStrict && [...password].length < passwordMinLength;
  const weakness = isShort ? passwordShorterThan(passwordMinLength) : await weaknessOf(password, email);
  if (weakness === undefined) return;
  if (isStrict) refuse(invalidField('password', weakness));
  log.warn({ email }, `weak password: ${weakness}`);
}
