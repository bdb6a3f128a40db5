import { Command } from 'commander';
import { emitList, type Format } from '../../output/emit.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';

interface ListedContext {
  readonly name: string;
  readonly server: string;
  readonly email: string | null;
  readonly in_use: boolean;
  readonly color: string | null;
}

const list = { name: 'contexts', id: 'name', fields: () => ['name', 'server', 'email', 'in_use', 'color'] };

const columns: readonly Column<ListedContext>[] = [
  { heading: '', field: 'in_use', value: ({ in_use }) => (in_use ? '*' : '') },
  { heading: 'name', value: ({ name }) => name },
  { heading: 'server', value: ({ server }) => server },
  { heading: 'as', field: 'email', value: ({ email }) => email ?? '', dropAs: 1 },
  { heading: 'color', value: ({ color }) => color ?? '', dropAs: 2 },
];

/** `backoffice context list`. */
export function listContextsCommand(): Command {
  const command = new Command('list').description('list the servers that you have signed in to');
  return withTable(command, list).action(async (format: Format) => {
    const { ownContexts } = await import('./find.ts');
    const { current, contexts: found } = await ownContexts();
    const contexts: ListedContext[] = Object.entries(found).map(([name, { server, email, color }]) => ({
      ...{ name, server, email },
      in_use: name === current,
      color: color ?? null,
    }));
    await emitList({ contexts }, format, list, columns, {
      none: 'No contexts. Run `backoffice login` to add one.',
    });
  });
}
