import {
  readSecondFactorPolicy,
  type SecondFactorMode,
  secondFactorKey,
} from '../../src/contract/known-settings/second-factor.ts';
import { roles } from '../../src/contract/vocabulary.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { countAdminsWithFactors } from '../../src/db/tables/accounts/factors.ts';
import { selectSettings } from '../../src/db/tables/settings.ts';
import { counted } from '../output/number.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Checks the setting for second factors, and that it can be followed. */
export async function checkSecondFactor(db: Database, encryptionKeys: readonly Buffer[]): Promise<Finding> {
  const check = 'second factor';
  const { value: policy, problems } = readSecondFactorPolicy(await selectSettings(db, [secondFactorKey]));
  const count = await countAdminsWithFactors(db);
  const have = `${counted(count, 'admin has one', 'admins have one')}`;
  const modes = new Set<SecondFactorMode>(Object.values(policy));
  const asks =
    modes.size === 1 ? policy.admin : roles.map((role) => `${policy[role]} for ${role}`).join(', ');
  if (problems.length > 0) {
    const advice = `Run \`backoffice settings set ${secondFactorKey} optional\`, or give the mode of each role as JSON.`;
    return warning(check, problems.join(' '), advice);
  }
  if (asks === 'off') {
    if (count === 0) return ok(check, 'off');
    const advice = `Run \`backoffice settings set ${secondFactorKey} optional\`.`;
    return warning(check, `off, so no sign-in asks for one, but ${have}`, advice);
  }
  if (encryptionKeys.length === 0 && (modes.has('required') || count > 0)) {
    const advice = 'Set BACKOFFICE_ENCRYPTION_KEY. `openssl rand -base64 32` generates a key.';
    return failed(check, `${asks}, but none can be set up or asked for without a key for secrets`, advice);
  }
  return ok(check, `${asks}; ${have}`);
}
