import { shadesOf } from '../../src/contract/known-settings/accent-shades.ts';
import { type Branding, bytesOf, readBranding } from '../../src/contract/known-settings/branding.ts';
import {
  readSecondFactorPolicy,
  type SecondFactorMode,
  secondFactorKey,
} from '../../src/contract/known-settings/second-factor.ts';
import { retentionKeys } from '../../src/contract/known-settings/setting-rights.ts';
import { brandingKeys, defaultName } from '../../src/contract/known-settings/settings.ts';
import {
  readBudgets,
  readPrices,
  timeZoneKey,
  usageKeys,
} from '../../src/contract/known-settings/token-settings.ts';
import { roles } from '../../src/contract/vocabulary.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { countAdminsWithFactors } from '../../src/db/tables/accounts/factors.ts';
import { selectAuditRetention } from '../../src/db/tables/audit.ts';
import { countSecrets } from '../../src/db/tables/sealed-columns.ts';
import { selectSettings } from '../../src/db/tables/settings.ts';
import { readMonth } from '../../src/services/analytics/calendar.ts';
import { defaultRetentionDays, parseRetentionDays } from '../../src/services/background/retention.ts';
import { createSecretBox } from '../../src/services/secrets/secret-box.ts';
import { counted } from '../terminal/text.ts';
import { failed, type Judgement, ok, warning } from './finding.ts';

/** Checks the prices and budgets of token usage. */
export async function checkTokenSettings(db: Database): Promise<Judgement> {
  const settings = await selectSettings(db, usageKeys);
  const [prices, budgets] = [readPrices(settings), readBudgets(settings)];
  const problems = [...prices.problems, ...budgets.problems];
  if (problems.length === 0)
    return ok(counted(prices.value.size, 'model has a price', 'models have a price'));
  const fix = 'Set them again with `backoffice usage prices set` or `backoffice usage budget set`.';
  return warning(problems.join(' '), fix);
}

/** Checks the setting for the time zone of months and days. */
export async function checkTimeZone(db: Database): Promise<Judgement> {
  const settings = await selectSettings(db, [timeZoneKey]);
  const { timezone } = await readMonth(db, settings, undefined);
  const { [timeZoneKey]: value = '' } = settings;
  const days = `months and days are in ${timezone}`;
  if (value === '') return ok(`not set: ${days}`);
  // Postgres returns the name with the usual capitals.
  if (timezone.toLowerCase() === value.toLowerCase()) return ok(timezone);
  return warning(
    `unknown time zone ${JSON.stringify(value)}: ${days}`,
    `Run \`backoffice settings set ${timeZoneKey}\` with a name such as Europe/Paris.`,
  );
}

/** The database keeps audit records at least this long, even if the setting is lower. */
const minAuditDays = 30;

/** Checks the settings for how long conversations, events, history and audit records are kept. */
export async function checkRetention(db: Database): Promise<Judgement> {
  const settings = await selectSettings(db, retentionKeys);
  const { audit_retention_days: auditDays = '' } = settings;
  const isAuditKept = (await selectAuditRetention(db)) === null;

  const problems: string[] = [];
  if (auditDays !== '' && isAuditKept)
    problems.push('audit_retention_days is not a number of days: all audit records are kept.');
  if (!isAuditKept && Number(auditDays) < minAuditDays)
    problems.push(`audit_retention_days is ${auditDays}, below the minimum: ${minAuditDays} is used.`);
  const days = Object.entries(defaultRetentionDays).map(([key, fallback]) => {
    const value = settings[key] ?? '';
    const parsed = parseRetentionDays(value);
    if (value !== '' && parsed === undefined)
      problems.push(`${key} is not a number of days from 1: ${fallback} is used.`);
    return counted(parsed ?? fallback, 'day');
  });

  const { conversation_retention_days: conversationDays = '' } = settings;
  const isPurged = parseRetentionDays(conversationDays) !== undefined;
  if (conversationDays !== '' && !isPurged)
    problems.push('conversation_retention_days is not a number of days from 1: all conversations are kept.');

  if (problems.length === 0) {
    const [events, history] = days;
    const records = isAuditKept
      ? 'all audit records'
      : `audit records for ${counted(Number(auditDays), 'day')}`;
    const conversations = isPurged
      ? `closed conversations for ${counted(Number(conversationDays), 'day')}, `
      : '';
    return ok(`keeps ${conversations}events for ${events}, history for ${history}, and ${records}`);
  }
  const fix =
    'Run `backoffice settings set` with a number of days, such as `backoffice settings set audit_retention_days 365`.';
  return warning(problems.join(' '), fix);
}

/** Checks the settings for the name, the logo and the accent colour of the web dashboard. */
export async function checkBranding(db: Database): Promise<Judgement> {
  const { value, problems } = readBranding(await selectSettings(db, brandingKeys));
  if (problems.length > 0) {
    const fix = 'Correct it at /settings, which shows a preview, or with `backoffice settings set`.';
    return warning(`${problems.join(' ')} It counts as unset.`, fix);
  }
  const parts = describe(value);
  return ok(parts.length === 0 ? 'the default name and colours' : parts.join(', '));
}

function describe({ name, logo, accent }: Branding): string[] {
  return [
    ...(name === defaultName ? [] : [`the name ${JSON.stringify(name)}`]),
    ...(logo === null ? [] : [`a logo (${logo.type}) of ${Math.ceil(bytesOf(logo) / 1_000)} kB`]),
    ...(accent === null ? [] : [describeAccent(accent)]),
  ];
}

/** An accent that could not be read in a theme has another shade there. */
function describeAccent(accent: string): string {
  const { light, dark } = shadesOf(accent);
  const shades = [
    ...(light.accent === accent ? [] : [`${light.accent} in the light theme`]),
    ...(dark.accent === accent ? [] : [`${dark.accent} in the dark theme`]),
  ];
  const shown = shades.length === 0 ? '' : ` (for contrast, ${shades.join(' and ')})`;
  return `the accent ${accent}${shown}`;
}

interface WithKeys {
  readonly encryptionKeys: readonly Buffer[];
}

/** Checks the setting for second factors, and that it can be followed. */
export async function checkSecondFactor(db: Database, { encryptionKeys }: WithKeys): Promise<Judgement> {
  const { value: policy, problems } = readSecondFactorPolicy(await selectSettings(db, [secondFactorKey]));
  const count = await countAdminsWithFactors(db);
  const have = `${counted(count, 'admin has one', 'admins have one')}`;
  const modes = new Set<SecondFactorMode>(Object.values(policy));
  const asks =
    modes.size === 1 ? policy.admin : roles.map((role) => `${policy[role]} for ${role}`).join(', ');
  if (problems.length > 0) {
    const fix = `Run \`backoffice settings set ${secondFactorKey} optional\`, or give the mode of each role as JSON.`;
    return warning(problems.join(' '), fix);
  }
  if (asks === 'off') {
    if (count === 0) return ok('off');
    const fix = `Run \`backoffice settings set ${secondFactorKey} optional\`.`;
    return warning(`off, so no sign-in asks for one, but ${have}`, fix);
  }
  if (encryptionKeys.length === 0 && (modes.has('required') || count > 0)) {
    const fix = 'Set BACKOFFICE_ENCRYPTION_KEY. `openssl rand -base64 32` generates a key.';
    return failed(`${asks}, but none can be set up or asked for without a key for secrets`, fix);
  }
  return ok(`${asks}; ${have}`);
}

/** Checks that every stored secret can be decrypted, and shows how many secrets each key holds. */
export async function checkSecrets(db: Database, { encryptionKeys: keys }: WithKeys): Promise<Judgement> {
  const { keyId: newest, keyIds } = createSecretBox(keys);
  const counts = await countSecrets(db);
  const all = counts.map(({ key_id, count }) =>
    key_id === '' ? `${count} in clear text` : `${count} with the key ${key_id}`,
  );
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const detail = total === 0 ? 'none stored' : `${counted(total, 'secret')}: ${all.join(', ')}`;

  const missing = counts.flatMap(({ key_id }) => (key_id === '' || keyIds.includes(key_id) ? [] : [key_id]));
  if (missing.length > 0) {
    const names = `${missing.length === 1 ? 'the key' : 'the keys'} ${missing.join(', ')}`;
    return failed(
      `${detail}; BACKOFFICE_ENCRYPTION_KEY does not list ${names}`,
      `Add ${names} to BACKOFFICE_ENCRYPTION_KEY. Without it, set these secrets again; \`backoffice settings list\` shows ` +
        'which settings are secret.',
    );
  }
  if (counts.some(({ key_id }) => key_id === '')) {
    const fix =
      newest === undefined
        ? 'Set BACKOFFICE_ENCRYPTION_KEY (`openssl rand -base64 32` generates a key), then run `backoffice secrets rotate`.'
        : 'Run `backoffice secrets rotate`, which encrypts them.';
    return failed(`${detail}, which are not used`, fix);
  }
  if (counts.some(({ key_id }) => key_id !== newest))
    return warning(detail, 'Run `backoffice secrets rotate`, then remove the older keys.');
  return ok(detail);
}
