import { isRecord } from '../../shared/is-record.ts';

export type Settings = Readonly<Record<string, string>>;

/** The value of a setting, and a sentence for each invalid part. */
export interface Readout<T> {
  readonly value: T;
  readonly problems: readonly string[];
}

/** Returns the fields of a JSON object, or undefined if the text is not one. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The groups of the settings that the service itself reads, in the order in which they are shown. */
export const settingGroups = ['Appearance', 'Visitors', 'Region', 'Usage', 'Retention', 'Security'] as const;

export type SettingGroup = (typeof settingGroups)[number];

export const nameKey = 'site_name';
/** A picture as a `data:` address: the page may load no pictures from elsewhere. */
export const logoKey = 'site_logo';
/** Such as `#0b7285`. The dashboard shows the nearest shades of it that can be read in each theme. */
export const accentKey = 'accent_color';

/** The keys of the looks. They are here because every page of the web dashboard needs them, and nothing else of branding. */
export const brandingKeys: readonly string[] = [nameKey, logoKey, accentKey];

export const defaultName = 'Backoffice';
