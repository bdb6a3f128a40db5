import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emit, emitTable, type Format, listIn, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { remark } from '../../terminal.ts';
import { adminArgument, findAdmin } from './find.ts';

type Factor = OutputOf<'factors.listOfAdmin'>['factors'][number];

const names: Readonly<Record<Factor['type'], string>> = { totp: 'authenticator app', passkey: 'passkey' };

const columns: readonly Column<Factor>[] = [
  { heading: 'type', value: ({ type }) => names[type] },
  { heading: 'name', value: ({ name }) => name, cut: true },
  { heading: 'added', value: ({ created_at }) => ago(created_at) },
  { heading: 'used', value: ({ last_used_at }) => (last_used_at === null ? 'never' : ago(last_used_at)) },
  { heading: 'id', value: ({ id }) => id, dropAs: 1 },
];

/** `backoffice admins factors`. */
export function adminFactorsCommand(): Command {
  const command = new Command('factors')
    .description('list the second factors of an admin')
    .addArgument(adminArgument())
    .addHelpText('after', '\nExample:\n  backoffice admins factors grace@example.com');
  return runs(withFormats(command, 'json and csv'), 'factors.listOfAdmin').action(
    async (admin: string, format: Format) => {
      const { email, document } = await withAccess(command, async (access) => {
        const { id, email } = await findAdmin(access, admin);
        return { email, document: await access.call('factors.listOfAdmin', { id }) };
      });
      await emit(document, format, listIn('factors.listOfAdmin', 'factors'), async () => {
        const { factors, recovery_codes_left: left } = document;
        if (factors.length === 0) return remark(`${email} has no second factor.`);
        await emitTable(columns, factors);
        remark(`${counted(left, 'recovery code')} left.`);
      });
    },
  );
}
