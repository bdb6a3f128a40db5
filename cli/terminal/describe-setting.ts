import { readBranding } from '../../src/contract/known-settings/branding.ts';
import {
  type KnownSetting,
  knownSetting,
  settingProblem,
} from '../../src/contract/known-settings/known-settings.ts';
import { readSecondFactorPolicy, secondFactorKey } from '../../src/contract/known-settings/second-factor.ts';
import type { Settings } from '../../src/contract/known-settings/settings.ts';
import { accentKey, logoKey } from '../../src/contract/known-settings/settings.ts';
import {
  budgetsKey,
  currencyKey,
  currencyOf,
  pricesKey,
  readBudgets,
  readPrices,
  timeZoneKey,
} from '../../src/contract/known-settings/token-settings.ts';
import { roles } from '../../src/contract/vocabulary.ts';

const maxNamed = 3;

/** Describes how the service reads a setting: `Currency: EUR.` Returns undefined if it does not read it. */
export function describeSetting(key: string, settings: Settings): string | undefined {
  const setting = knownSetting(key);
  if (setting === undefined) return undefined;
  const value = settings[key] ?? '';
  if (setting.problemOf(value) !== undefined) return `${setting.title}: unreadable, so it counts as not set.`;
  if (value.trim() === '') return `${setting.title}: not set. ${setting.fallback} by default.`;
  return `${setting.title}: ${meaningOf(setting, value.trim(), settings)}.`;
}

function meaningOf({ key, kind, fallback }: KnownSetting, value: string, settings: Settings): string {
  switch (key) {
    case budgetsKey:
      return describeBudgets(settings) || fallback.toLowerCase();
    case pricesKey:
      return describePrices(settings) || fallback.toLowerCase();
    case timeZoneKey:
      return `${value}, where it is ${clockIn(value)} now`;
    case currencyKey:
      return currencyOf(settings);
    case secondFactorKey: {
      const { value: policy } = readSecondFactorPolicy(settings);
      return roles.map((role) => `${policy[role]} for ${role}`).join(', ');
    }
    case logoKey:
      return `a picture of the type ${readBranding(settings).value.logo?.type}`;
    case accentKey:
      return value.toLowerCase();
    default:
      return kind === 'days' ? `kept for ${value} ${value === '1' ? 'day' : 'days'}` : value;
  }
}

function describeBudgets(settings: Settings): string {
  const { total, models } = readBudgets(settings).value;
  const currency = currencyOf(settings);
  const ofModels = named([...models].map(([model, limit]) => `${limit} ${currency} for ${model}`));
  return [...(total === undefined ? [] : [`${total} ${currency} a month for all models`]), ...ofModels].join(
    ', ',
  );
}

function describePrices(settings: Settings): string {
  const currency = currencyOf(settings);
  const prices = [...readPrices(settings).value].flatMap(([model, ofModel]) =>
    ofModel.slice(-1).map(({ input, output, since }) => {
      const from = since === undefined ? '' : ` since ${since}`;
      return `${model} ${input} in and ${output} out${from}`;
    }),
  );
  return prices.length === 0 ? '' : `${named(prices).join(', ')} (${currency} per million tokens)`;
}

function named(models: readonly string[]): readonly string[] {
  const more = models.length - maxNamed;
  return more <= 0 ? models : [...models.slice(0, maxNamed), `and ${more} more`];
}

function clockIn(timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format();
}

const names: readonly (readonly [key: string, name: string])[] = [
  [budgetsKey, 'budget'],
  [pricesKey, 'prices'],
  [timeZoneKey, 'time zone'],
];

/** Returns those of the settings that costs, budgets and months depend on which are unreadable, and so count as not set. */
export function unreadableUsageSettings(settings: Settings) {
  return names.flatMap(([key, name]) => {
    const problem = settingProblem(key, settings[key] ?? '');
    return problem === undefined ? [] : [{ name, problem }];
  });
}
