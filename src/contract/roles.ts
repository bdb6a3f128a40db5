import { type Role, roles } from './vocabulary.ts';

/** What each role may do, in a sentence, for people who choose one. */
export const roleTexts: Readonly<Record<Role, string>> = {
  superadmin: 'Does everything, also roles, second factors, webhooks, the audit trail and erasures.',
  admin: 'Does what a user does, manages accounts, invitations and sessions, and deletes issues.',
  user: 'Works with issues, conversations and settings.',
};

/** What holds for every role where roles are not strict. */
export const lenientRoles =
  'Without strict roles, every role can set the password of every account, also of a superadmin.';

/** What each role may do, in one line. */
export const rolesHelp = roles
  .map((role) => `${role} ${roleTexts[role].replace(/^./, (first) => first.toLowerCase()).slice(0, -1)}`)
  .join('; ');

/** The roles with their texts, as a table in Markdown. */
export const rolesTable = [
  '| role | what it may do |',
  '|---|---|',
  ...roles.map((role) => `| \`${role}\` | ${roleTexts[role]} |`),
].join('\n');
