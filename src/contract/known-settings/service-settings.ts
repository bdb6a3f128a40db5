import { knownSettings } from './known-settings.ts';

/** The settings that the service itself reads. They are never encrypted: SQL and every instance must be able to read them. */
export const serviceSettingKeys: ReadonlySet<string> = new Set(knownSettings.map(({ key }) => key));
