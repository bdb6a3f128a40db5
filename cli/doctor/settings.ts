import { shadesOf } from '../../src/contract/known-settings/accent-shades.ts';
import { bytesOf, readBranding } from '../../src/contract/known-settings/branding.ts';
import { readSecondFactorPolicy, secondFactorKey } from '../../src/contract/known-settings/second-factor.ts';
import { retentionKeys } from '../../src/contract/known-settings/setting-rights.ts';
import { brandingKeys, defaultName } from '../../src/contract/known-settings/settings.ts';
import {
  readBudgets,
  readPrices,
  timeZoneKey,
  usageKeys,
} from '../../src/contract/known-settings/token-settings.ts';
import { roles } from '../../src/contract/vocabulary.ts';
import { countAdminsWithFactors } from '../../src/db/tables/accounts/factors.ts';
import { selectAuditRetention } from '../../src/db/tables/audit.ts';
import { countSecrets } from '../../src/db/tables/sealed-columns.ts';
import { selectSettings } from '../../src/db/tables/settings.ts';
import { readMonth } from '../../src/services/analytics/calendar.ts';
import { defaultRetentionDays, parseRetentionDays } from '../../src/services/background/retention.ts';
import { createSecretBox } from '../../src/services/secrets/secret-box.ts';
import { counted } from '../terminal/text.ts';
import type { DataChecks } from './data.ts';
import { failed, ok, warning } from './finding.ts';

/** The database keeps audit records at least this long, even if the setting is lower. */
const minAuditDays = 30;

/** The checks of the settings that the service reads. */
export const settingChecks: DataChecks = {
  async 'prices and budgets'(db) {
    const settings = await selectSettings(db, usageKeys);
    const prices = readPrices(settings);
    const budgets = readBudgets(settings);
    const problems = [...prices.problems, ...budgets.problems];
    if (problems.length === 0)
      return ok(counted(prices.value.size, 'model has a price', 'models have a price'));
    const fix = 'Set them again with `backoffice usage prices set` or `backoffice usage budget set`.';
    return warning(problems.join(' '), fix);
  },

  async timezone(db) {
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
  },

  async retention(db) {
    const settings = await selectSettings(db, retentionKeys);
    const { audit_retention_days: auditDays = '', conversation_retention_days: conversationDays = '' } =
      settings;
    const isAuditKept = (await selectAuditRetention(db)) === null;
    const isPurged = parseRetentionDays(conversationDays) !== undefined;
    const problems: string[] = [];
    if (auditDays !== '' && isAuditKept)
      problems.push('audit_retention_days is not a number of days: all audit records are kept.');
    if (!isAuditKept && Number(auditDays) < minAuditDays)
      problems.push(`audit_retention_days is ${auditDays}, below the minimum: ${minAuditDays} is used.`);
    const [events, history] = Object.entries(defaultRetentionDays).map(([key, fallback]) => {
      const value = settings[key] ?? '';
      const parsed = parseRetentionDays(value);
      if (value !== '' && parsed === undefined)
        problems.push(`${key} is not a number of days from 1: ${fallback} is used.`);
      return counted(parsed ?? fallback, 'day');
    });
    if (conversationDays !== '' && !isPurged)
      problems.push(
        'conversation_retention_days is not a number of days from 1: all conversations are kept.',
      );
    const fix =
      'Run `backoffice settings set` with a number of days, such as `backoffice settings set audit_retention_days 365`.';
    if (problems.length > 0) return warning(problems.join(' '), fix);
    const days = (text: string) => counted(Number(text), 'day');
    const conversations = isPurged ? `closed conversations for ${days(conversationDays)}, ` : '';
    const records = isAuditKept ? 'all audit records' : `audit records for ${days(auditDays)}`;
    return ok(`keeps ${conversations}events for ${events}, history for ${history}, and ${records}`);
  },

  async branding(db) {
    const { value, problems } = readBranding(await selectSettings(db, brandingKeys));
    const fix = 'Correct it at /settings, which shows a preview, or with `backoffice settings set`.';
    if (problems.length > 0) return warning(`${problems.join(' ')} It counts as unset.`, fix);
    const { name, logo, accent } = value;
    const parts = [
      ...(name === defaultName ? [] : [`the name ${JSON.stringify(name)}`]),
      ...(logo === null ? [] : [`a logo (${logo.type}) of ${Math.ceil(bytesOf(logo) / 1_000)} kB`]),
      ...(accent === null ? [] : [describeAccent(accent)]),
    ];
    return ok(parts.join(', ') || 'the default name and colours');
  },
};

/** An accent that could not be read in a theme has another shade there. */
function describeAccent(accent: string): string {
  const { light, dark } = shadesOf(accent);
  const shades = Object.entries({ light, dark }).flatMap(([theme, { accent: shade }]) =>
    shade === accent ? [] : [`${shade} in the ${theme} theme`],
  );
  return `the accent ${accent}${shades.length === 0 ? '' : ` (for contrast, ${shades.join(' and ')})`}`;
}

/** The checks of what the key for secrets is needed for. */
export const secretChecks: DataChecks = {
  // Which key holds how many, and whether each secret can be decrypted.
  async secrets(db, { encryptionKeys }) {
    const { keyId: newest, keyIds } = createSecretBox(encryptionKeys);
    const counts = await countSecrets(db);
    const all = counts.map(
      ({ key_id, count }) => `${count} ${key_id === '' ? 'in clear text' : `with the key ${key_id}`}`,
    );
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const detail = total === 0 ? 'none stored' : `${counted(total, 'secret')}: ${all.join(', ')}`;
    const used = counts.map(({ key_id }) => key_id);
    const missing = used.filter((key) => key !== '' && !keyIds.includes(key));
    if (missing.length > 0) {
      const names = `${missing.length === 1 ? 'the key' : 'the keys'} ${missing.join(', ')}`;
      return failed(
        `${detail}; BACKOFFICE_ENCRYPTION_KEY does not list ${names}`,
        `Add ${names} to BACKOFFICE_ENCRYPTION_KEY. Without it, set these secrets again; \`backoffice settings list\` shows ` +
          'which settings are secret.',
      );
    }
    if (used.includes('')) {
      const fix =
        newest === undefined
          ? 'Set BACKOFFICE_ENCRYPTION_KEY (`openssl rand -base64 32` generates a key), then run `backoffice secrets rotate`.'
          : 'Run `backoffice secrets rotate`, which encrypts them.';
      return failed(`${detail}, which are not used`, fix);
    }
    if (used.every((key) => key === newest)) return ok(detail);
    return warning(detail, 'Run `backoffice secrets rotate`, then remove the older keys.');
  },

  async 'second factor'(db, { encryptionKeys }) {
    const { value: policy, problems } = readSecondFactorPolicy(await selectSettings(db, [secondFactorKey]));
    const count = await countAdminsWithFactors(db);
    const have = counted(count, 'admin has one', 'admins have one');
    const modes = new Set(Object.values(policy));
    const asks =
      modes.size === 1 ? policy.admin : roles.map((role) => `${policy[role]} for ${role}`).join(', ');
    const set = `Run \`backoffice settings set ${secondFactorKey} optional\``;
    if (problems.length > 0)
      return warning(problems.join(' '), `${set}, or give the mode of each role as JSON.`);
    if (asks === 'off' && count === 0) return ok('off');
    if (asks === 'off') return warning(`off, so no sign-in asks for one, but ${have}`, `${set}.`);
    if (encryptionKeys.length > 0 || (count === 0 && !modes.has('required'))) return ok(`${asks}; ${have}`);
    const fix = 'Set BACKOFFICE_ENCRYPTION_KEY. `openssl rand -base64 32` generates a key.';
    return failed(`${asks}, but none can be set up or asked for without a key for secrets`, fix);
  },
};
