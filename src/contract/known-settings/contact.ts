import { isOrigin } from '../../shared/is-origin.ts';
import { isAtMost } from '../schemas/bounds.ts';
import type { Settings } from './settings.ts';

/** `1` switches the contact page on. */
export const contactPageKey = 'contact_page';
/** A text above the form. */
export const contactIntroKey = 'contact_intro';
/** Such as `https://example.com, https://www.example.com`. */
export const contactOriginsKey = 'contact_origins';

export const contactKeys: readonly string[] = [contactPageKey, contactIntroKey, contactOriginsKey];

const maxIntroLength = 2_000;

/** How the contact page is set up. */
export interface ContactPage {
  readonly isOn: boolean;
  readonly intro: string;
  /** The origins whose pages may show the page in a frame and send messages themselves. */
  readonly origins: ReadonlySet<string>;
}

/** Reads the settings of the contact page. What is invalid counts as absent. */
export function readContactPage(settings: Settings): ContactPage {
  const intro = (settings[contactIntroKey] ?? '').trim();
  return {
    isOn: settings[contactPageKey]?.trim() === '1',
    intro: contactProblem(contactIntroKey, intro) === undefined ? intro : '',
    origins: new Set(originsIn(settings[contactOriginsKey] ?? '').filter(isOrigin)),
  };
}

const originsIn = (value: string) =>
  value
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');

/** Returns what is wrong with one of these settings. An empty text is the default. */
export function contactProblem(key: string, value: string): string | undefined {
  if (value === '') return undefined;
  if (key === contactPageKey)
    return value === '1' || value === '0' ? undefined : `The setting ${key} must be 1 or 0.`;
  if (key === contactIntroKey) {
    const isShort = isAtMost(value, maxIntroLength);
    return isShort ? undefined : `The setting ${key} must be at most 2,000 characters.`;
  }
  return originsIn(value).every(isOrigin)
    ? undefined
    : `The setting ${key} must be origins such as https://example.com, without a path, separated by commas.`;
}
