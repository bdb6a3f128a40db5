import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { emit, emitChange, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { confirm } from '../../prompts.ts';
import { print, remark } from '../../terminal.ts';

type Session = OutputOf<'sessions.list'>['sessions'][number];

const columns: readonly Column<Session>[] = [
  { heading: 'id', value: ({ id }) => id, cut: true },
  { heading: 'email', value: ({ email }) => email, cut: true },
  { heading: 'role', value: ({ role }) => role, dropAs: 2 },
  { heading: 'last seen', value: ({ last_seen_at }) => ago(last_seen_at) },
  { heading: 'signed in', value: ({ created_at }) => ago(created_at), dropAs: 1 },
];

/** `backoffice sessions`: who is signed in. */
export function sessionsCommand(): Command {
  const command = new Command('sessions').description('see who is signed in, and end sessions');
  command.addCommand(list());
  command.addCommand(revoke());
  return command;
}

function list(): Command {
  const command = new Command('list').description('list the sessions that are alive, the latest seen first');
  return runs(withFormats(command, 'json and csv'), 'sessions.list').action(async (format: Format) => {
    const document = await withAccess(command, (access) => access.call('sessions.list'));
    await emit(document, format, 'sessions', async () => {
      if (document.sessions.length === 0) remark('Nobody is signed in.');
      else await emitTable(columns, document.sessions);
    });
  });
}

function revoke(): Command {
  const command = new Command('revoke')
    .description('end a session, or every session of an admin')
    .argument('<session>', 'the ID of a session or its first 8 characters or more, or the e-mail of an admin')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice sessions revoke grace@example.com --yes');
  return runs(withFormats(command), 'sessions.revoke').action(
    async (which: string, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { sessions } = await access.call('sessions.list');
        const found = sessions.filter(
          ({ id, email }) => (which.length >= 8 && id.startsWith(which)) || email === which.toLowerCase(),
        );
        if (found.length === 0) {
          if (which.includes('@')) throw new NotFoundError(`There is no session of ${which}.`);
          throw new NotFoundError(`There is no session ${which}: see backoffice sessions list.`);
        }
        const emails = [...new Set(found.map(({ email }) => email))].join(', ');
        const what = `${counted(found.length, 'session')} of ${emails}`;
        await confirm(`End ${what}?`, yes);
        for (const { id } of found) await access.call('sessions.revoke', { id });
        await emitChange({ success: true }, format, () => print(`Ended ${what}.`));
      });
    },
  );
}
