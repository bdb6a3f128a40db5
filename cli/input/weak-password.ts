import { weaknessOf } from '../../src/services/sign-in/password-policy.ts';
import { remark } from '../terminal.ts';

/** Says that a password which was just set is easy to guess. The API contract allows it. */
export async function warnOfWeakPassword(password: string, email: string): Promise<void> {
  const weakness = await weaknessOf(password, email);
  if (weakness !== undefined) remark(`Warning: ${weakness}`);
}
