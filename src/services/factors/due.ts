import {
  readSecondFactorPolicy,
  type SecondFactorMode,
  secondFactorKey,
} from '../../contract/known-settings/second-factor.ts';
import type { SignInMethod } from '../../contract/schemas/factors.ts';
import { isMailAddress } from '../../contract/schemas/mail-address.ts';
import type { Role } from '../../contract/vocabulary.ts';
import type { Database } from '../../db/connection/database.ts';
import { selectOtpEmail } from '../../db/tables/accounts/admins.ts';
import {
  countRecoveryCodes,
  selectVerifiedFactors,
  type VerifiedFactor,
} from '../../db/tables/accounts/factors.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import type { Mail } from '../mail/mail.ts';
import { isOfSite, type PasskeySite } from './passkeys.ts';

/** What a sign-in still needs after the password. */
export type DueFactor =
  | { readonly step: 'nothing' }
  /** The account needs a factor and has none, so its session may only set one up. */
  | { readonly step: 'enrolment' }
  | {
      readonly step: 'factor';
      readonly methods: readonly SignInMethod[];
      /** The passkeys that the browser may use. */
      readonly passkeys: readonly VerifiedFactor[];
      /** Where to send a code, if `email` is one of the methods. */
      readonly sendTo?: string;
    };

/** Returns the mode of a role, as the setting says now. */
export async function modeOf(db: Database, role: Role): Promise<SecondFactorMode> {
  const settings = await selectSettings(db, [secondFactorKey]);
  return readSecondFactorPolicy(settings).value[role];
}

/**
 * Returns what the sign-in of an admin still needs. Passkeys of other sites do not help, and an account without a
 * factor is sent a code if the service sends mail.
 */
export async function dueFactor(
  db: Database,
  admin: { readonly id: string; readonly role: Role },
  site: PasskeySite | null,
  mail: Pick<Mail, 'isConfigured'>,
): Promise<DueFactor> {
  const mode = await modeOf(db, admin.role);
  if (mode === 'off') return { step: 'nothing' };
  const factors = await selectVerifiedFactors(db, admin.id);
  if (factors.length > 0) {
    const passkeys = factors.filter((factor) => isOfSite(factor, site));
    const methods: SignInMethod[] = [];
    if (factors.some(({ type }) => type === 'totp')) methods.push('totp');
    if (passkeys.length > 0) methods.push('passkey');
    if ((await countRecoveryCodes(db, admin.id)) > 0) methods.push('recovery');
    return { step: 'factor', methods, passkeys };
  }
  if (mode === 'optional') return { step: 'nothing' };
  const sendTo = mail.isConfigured ? await selectOtpEmail(db, admin.id) : null;
  // An account may have any text as its e-mail.
  if (sendTo === null || !isMailAddress(sendTo)) return { step: 'enrolment' };
  return { step: 'factor', methods: ['email'], passkeys: [], sendTo };
}
