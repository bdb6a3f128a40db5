import { type Role, roles } from '../vocabulary.ts';
import { contactOriginsKey, contactPageKey } from './contact.ts';
import { secondFactorKey } from './second-factor.ts';
import { budgetsKey, currencyKey, pricesKey } from './token-settings.ts';

/** The settings that say how long something is kept. */
export const retentionKeys = [
  'conversation_retention_days',
  'history_retention_days',
  'events_retention_days',
  'audit_retention_days',
] as const;

/** What the service uses a setting to protect: that decides which roles may change it. */
type Protection = 'security' | 'money' | 'retention' | 'access';

const protectedKeys: Readonly<Record<Protection, readonly string[]>> = {
  security: [secondFactorKey],
  money: [currencyKey, pricesKey, budgetsKey],
  retention: retentionKeys,
  access: [contactPageKey, contactOriginsKey],
};

const protectionOf = new Map(
  Object.entries(protectedKeys).flatMap(([protection, keys]) => keys.map((key) => [key, protection])),
);

/**
 * Returns the roles that may write or delete a setting. The contract gives all settings to any session; only what could
 * disarm the service, or opens it to strangers, is kept from some in every mode, and what is about money with strict roles.
 */
export function rolesToChange(key: string, strict: boolean): readonly Role[] {
  const protection = protectionOf.get(key);
  if (protection === undefined || (protection === 'money' && !strict)) return roles;
  return protection === 'security' ? ['superadmin'] : ['superadmin', 'admin'];
}

/** Returns why a role may not write or delete a setting, for people who have not tried; undefined if it may. */
export function refusalToChange(role: Role, key: string, strict: boolean): string | undefined {
  const allowed = rolesToChange(key, strict);
  if (allowed.includes(role)) return undefined;
  return `Only ${allowed.map((each) => `${each}s`).join(' and ')} can change this setting.`;
}
