import { guardedKeys } from './security.ts';
import { usageKeys } from './token-settings.ts';

/** The settings that the service itself reads. They are never encrypted: SQL and every instance must be able to read them. */
export const serviceSettingKeys: ReadonlySet<string> = new Set([...guardedKeys, ...usageKeys]);
