import { isTimeZone } from '../../shared/time.ts';
import { brandingProblem } from './branding.ts';
import { areOrigins, contactIntroKey, contactOriginsKey, contactPageKey, isIntro } from './contact.ts';
import { readSecondFactorPolicy, secondFactorKey } from './second-factor.ts';
import type { retentionKeys } from './setting-rights.ts';
import { accentKey, logoKey, nameKey, type SettingGroup } from './settings.ts';
import {
  budgetsKey,
  currencyKey,
  pricesKey,
  readBudgets,
  readPrices,
  timeZoneKey,
} from './token-settings.ts';
import { visitorMailKey } from './visitor-mail.ts';

/** What a value is, which decides about its field in a form. */
type SettingKind =
  | 'text'
  | 'lines'
  | 'switch'
  | 'picture'
  | 'colour'
  | 'timezone'
  | 'currency'
  | 'json'
  | 'days'
  | 'second-factor';

/** A setting that the service itself reads. */
export interface KnownSetting {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly group: SettingGroup;
  readonly kind: SettingKind;
  /** Of a switch: the value that turns it on. */
  readonly on?: string;
  /** What counts without the setting, in words. */
  readonly fallback: string;
  /** Returns what is wrong with a value. The empty text counts as absent. */
  readonly problemOf: (value: string) => string | undefined;
}

/** Reports whether the value of a switch turns it on. */
export function isOn({ on }: Pick<KnownSetting, 'on'>, value: string): boolean {
  return value.trim() === on;
}

export const wrongTimeZone = `The setting ${timeZoneKey} must be a zone of the IANA database, such as Europe/Berlin.`;

const wrongOrigins = `The setting ${contactOriginsKey} must be origins such as https://example.com, without a path, separated by commas.`;

export const knownSettings: readonly KnownSetting[] = [
  {
    key: nameKey,
    title: 'Name',
    description: 'The name of your site, in the header, in the title of the window and on the sign-in page.',
    group: 'Appearance',
    kind: 'text',
    fallback: 'Backoffice',
    problemOf: (value) => brandingProblem(nameKey, value.trim()),
  },
  {
    key: logoKey,
    title: 'Logo',
    description:
      'A square PNG, SVG or WebP picture of at most 64 kB, beside the name and as the icon of the window.',
    group: 'Appearance',
    kind: 'picture',
    fallback: 'The logo of Backoffice',
    problemOf: (value) => brandingProblem(logoKey, value.trim()),
  },
  {
    key: accentKey,
    title: 'Accent colour',
    description:
      'The colour of links and buttons. Each theme shows the nearest shade of it that can be read.',
    group: 'Appearance',
    kind: 'colour',
    fallback: 'Blue',
    problemOf: (value) => brandingProblem(accentKey, value.trim()),
  },
  toggle(contactPageKey, '1', '0', {
    title: 'Contact page',
    description: 'A page at /contact where visitors ask questions and report problems.',
  }),
  {
    key: contactIntroKey,
    title: 'Text above the form',
    description: 'What visitors read first on the contact page, such as how soon you answer.',
    group: 'Visitors',
    kind: 'lines',
    fallback: 'No text',
    problemOf: (value) =>
      isIntro(value.trim()) ? undefined : `The setting ${contactIntroKey} must be at most 2,000 characters.`,
  },
  {
    key: contactOriginsKey,
    title: 'Websites with the form',
    description:
      'Origins such as https://example.com, separated by commas. Their pages may show the contact page in a frame, and send messages from a form of their own.',
    group: 'Visitors',
    kind: 'text',
    fallback: 'None',
    problemOf: (value) => (areOrigins(value) ? undefined : wrongOrigins),
  },
  toggle(visitorMailKey, 'on', 'off', {
    title: 'Replies by e-mail',
    description: 'Whether replies are sent to visitors by e-mail. The service needs a mail server for that.',
  }),
  {
    key: timeZoneKey,
    title: 'Time zone',
    description: 'Where the days and months of usage, scraping and trends begin and end.',
    group: 'Region',
    kind: 'timezone',
    fallback: 'UTC',
    problemOf: (value) => (value === '' || isTimeZone(value) ? undefined : wrongTimeZone),
  },
  {
    key: currencyKey,
    title: 'Currency',
    description: 'The currency of prices and budgets. Amounts are not converted.',
    group: 'Region',
    kind: 'currency',
    fallback: 'USD',
    problemOf: () => undefined,
  },
  {
    key: pricesKey,
    title: 'Token prices',
    description: 'What a million tokens of each model cost, and from which month on.',
    group: 'Usage',
    kind: 'json',
    fallback: 'No prices',
    problemOf: (value) => readPrices({ [pricesKey]: value }).problems[0],
  },
  {
    key: budgetsKey,
    title: 'Token budgets',
    description:
      'How much tokens may cost in a month, in total and by model. Alerts fire at 50, 80 and 100 %.',
    group: 'Usage',
    kind: 'json',
    fallback: 'No budgets',
    problemOf: (value) => readBudgets({ [budgetsKey]: value }).problems[0],
  },
  days('conversation_retention_days', {
    title: 'Conversations',
    description: 'How long resolved and closed conversations are kept after their last message.',
    fallback: 'For ever',
  }),
  days('history_retention_days', {
    title: 'History',
    description: 'How long the history of issues and conversations is kept, which undo needs.',
    fallback: '365 days',
  }),
  days('events_retention_days', {
    title: 'Events',
    description: 'How long events are kept for followers that reconnect.',
    fallback: '7 days',
  }),
  days('audit_retention_days', {
    title: 'Audit trail',
    description: 'How long the records of who changed what are kept.',
    fallback: 'For ever',
    minDays: 30,
    maxDays: 99_999,
  }),
  {
    key: secondFactorKey,
    title: 'Second factor',
    description: 'Whether a sign-in asks for a second factor, for each role.',
    group: 'Security',
    kind: 'second-factor',
    fallback: 'Optional',
    problemOf: (value) => readSecondFactorPolicy({ [secondFactorKey]: value }).problems[0],
  },
];

/** Returns a setting about visitors that is on or off. */
function toggle(
  key: string,
  on: string,
  off: string,
  texts: Pick<KnownSetting, 'title' | 'description'>,
): KnownSetting {
  return {
    key,
    on,
    ...texts,
    group: 'Visitors',
    kind: 'switch',
    fallback: 'Off',
    problemOf: (value) =>
      ['', on, off].includes(value.trim()) ? undefined : `The setting ${key} must be ${on} or ${off}.`,
  };
}

type Days = Pick<KnownSetting, 'title' | 'description' | 'fallback'> & {
  readonly minDays?: number;
  readonly maxDays?: number;
};

function days(
  key: (typeof retentionKeys)[number],
  { minDays = 1, maxDays = 9_999, ...texts }: Days,
): KnownSetting {
  return {
    key,
    ...texts,
    group: 'Retention',
    kind: 'days',
    problemOf(value) {
      const isValid = /^[1-9]\d{0,4}$/.test(value) && Number(value) >= minDays && Number(value) <= maxDays;
      return value === '' || isValid
        ? undefined
        : `The setting ${key} must be a number of days from ${minDays} to ${maxDays}.`;
    },
  };
}

const byKey = new Map(knownSettings.map((setting) => [setting.key, setting]));

/** Returns a setting that the service reads. Those are never encrypted: SQL and every instance must read them. */
export function knownSetting(key: string): KnownSetting | undefined {
  return byKey.get(key);
}

/** Returns what is wrong with the value of a setting that the service reads. Any other setting may have any value. */
export function settingProblem(key: string, value: string): string | undefined {
  return byKey.get(key)?.problemOf(value);
}
