import { retentionKeys } from './retention.ts';
import { secondFactorKey } from './second-factor.ts';

/** The settings that decide how accounts are protected. */
const securityKeys: readonly string[] = [secondFactorKey];

/** The settings that only superadmins change in strict mode. */
export const guardedKeys: readonly string[] = [...retentionKeys, ...securityKeys];
