import { readAllSettings } from '../../access/settings.ts';
import type { App } from '../state/app.ts';
import type { ScreenId } from '../state/screen-types.ts';

/** A row that the palette has found. */
export interface FoundRecord {
  readonly name: string;
  readonly screen: ScreenId;
  /** What `Screen.showRecord` takes. */
  readonly key: string;
}

/** What was asked for: `issue 4711`, `conv karim`, `admin ada`, `setting time`. */
export interface RecordQuery {
  readonly noun: 'issue' | 'conv' | 'admin' | 'setting';
  readonly words: string;
}

const nouns = /^(issue|conv|conversation|admin|setting)s?\s+(\S.*)$/i;
const maxFound = 20;

/** Returns what a text asks for, if it is such a question. */
export function parseRecordQuery(text: string): RecordQuery | undefined {
  const [, noun = '', words = ''] = nouns.exec(text.trimStart()) ?? [];
  if (noun === '') return undefined;
  const short = noun.toLowerCase().replace('conversation', 'conv') as RecordQuery['noun'];
  return { noun: short, words: words.trim() };
}

/** Returns the rows that a question finds. */
export async function findRecords(app: App, { noun, words }: RecordQuery): Promise<readonly FoundRecord[]> {
  const finders = { issue: findIssues, conv: findConversations, admin: findAdmins, setting: findSettings };
  return await finders[noun](app, words);
}

async function findIssues(app: App, words: string): Promise<readonly FoundRecord[]> {
  const [, number] = /^#?(\d{1,15})$/.exec(words) ?? [];
  const search = number === undefined ? { q: words } : { id: Number(number) };
  const page = await app.call('issues.list', { ...search, limit: maxFound });
  const issues = 'issues' in page ? page.issues : [];
  return issues.map(({ id, title, status }) => ({
    name: `Issue #${id}: ${title} (${status})`,
    screen: 'issues',
    key: String(id),
  }));
}

async function findConversations(app: App, q: string): Promise<readonly FoundRecord[]> {
  const { conversations } = await app.call('conversations.list', { q, limit: maxFound });
  return conversations.map(({ id, visitor_name, subject, status }) => ({
    name: `Conversation: ${visitor_name}, ${subject || 'no subject'} (${status})`,
    screen: 'conversations',
    key: id,
  }));
}

async function findAdmins(app: App, q: string): Promise<readonly FoundRecord[]> {
  const { admins } = await app.call('admins.list', { q, limit: maxFound });
  return admins.map(({ email, username, role }) => ({
    name: `Admin: ${username} <${email}> (${role})`,
    screen: 'admins',
    key: email,
  }));
}

async function findSettings(app: App, words: string): Promise<readonly FoundRecord[]> {
  const { settings, secrets } = await readAllSettings(app);
  return [...Object.keys(settings), ...secrets]
    .filter((key) => key.toLowerCase().includes(words.toLowerCase()))
    .sort()
    .slice(0, maxFound)
    .map((key) => ({ name: `Setting: ${key}`, screen: 'settings', key }));
}
