import { retentionKeys } from './retention.ts';

/** The settings that decide how accounts are protected. */
export const securityKeys: readonly string[] = ['sign_in_second_factor'];

/** The settings that only superadmins change in strict mode. */
export const guardedKeys: readonly string[] = [...retentionKeys, ...securityKeys];
