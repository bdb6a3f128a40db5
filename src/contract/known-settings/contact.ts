import { isOrigin } from '../../shared/urls.ts';
import { isAtMost } from '../schemas/bounds.ts';
import type { Settings } from './settings.ts';

/** `1` switches the contact page on. */
export const contactPageKey = 'contact_page';
/** A text above the form. */
export const contactIntroKey = 'contact_intro';
/** Such as `https://example.com, https://www.example.com`. */
export const contactOriginsKey = 'contact_origins';

export const contactKeys: readonly string[] = [contactPageKey, contactIntroKey, contactOriginsKey];

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
    intro: isIntro(intro) ? intro : '',
    origins: new Set(originsIn(settings[contactOriginsKey] ?? '').filter(isOrigin)),
  };
}

/** Reports whether a text may stand above the form. */
export const isIntro = (text: string) => isAtMost(text, 2_000);

/** Reports whether a text has nothing but origins. */
export const areOrigins = (text: string) => originsIn(text).every(isOrigin);

const originsIn = (value: string) =>
  value
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
