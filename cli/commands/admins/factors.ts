import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitList, type Format, listIn } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';
import { remark } from '../../terminal.ts';
import { adminArgument, findAdmin } from './find.ts';

type Factor = OutputOf<'factors.listOfAdmin'>['factors'][number];

const names: Readonly<Record<Factor['type'], string>> = { totp: 'authenticator app', passkey: 'passkey' };

const columns: readonly Column<Factor>[] = [
  { heading: 'type', value: ({ type }) => names[type] },
  { heading: 'name', value: ({ name }) => name, cut: true },
  timeColumn('added', 'created_at'),
  timeColumn('used', 'last_used_at', { none: 'never' }),
  { heading: 'id', value: ({ id }) => id, dropAs: 1 },
];

const list = listIn('factors.listOfAdmin', 'factors');

/** `backoffice admins factors`. */
export function adminFactorsCommand(): Command {
  const command = new Command('factors')
    .description('list the second factors of an admin')
    .addArgument(adminArgument())
    .addHelpText('after', '\nExample:\n  backoffice admins factors grace@example.com');
  return runs(withTable(command, list), 'factors.listOfAdmin').action(
    async (admin: string, format: Format) => {
      const { email, document } = await withAccess(command, async (access) => {
        const { id, email } = await findAdmin(access, admin);
        return { email, document: await access.call('factors.listOfAdmin', { id }) };
      });
      await emitList(document, format, list, columns, {
        none: `${email} has no second factor.`,
        after() {
          if (document.factors.length > 0)
            remark(`${counted(document.recovery_codes_left, 'recovery code')} left.`);
        },
      });
    },
  );
}
