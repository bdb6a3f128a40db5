import { Command } from 'commander';
import { emit, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { remark } from '../../terminal.ts';

interface ListedContext {
  readonly name: string;
  readonly server: string;
  readonly email: string | null;
  readonly in_use: boolean;
  readonly color: string | null;
}

const list = { name: 'contexts', fields: () => ['name', 'server', 'email', 'in_use', 'color'] };

/** `backoffice context list`. */
export function listContextsCommand(): Command {
  const command = new Command('list').description('list the servers that you have signed in to');
  return withFormats(command, 'json and csv').action(async (format: Format) => {
    const { ownContexts } = await import('./find.ts');
    const { current, contexts: found } = await ownContexts();
    const contexts: ListedContext[] = Object.entries(found).map(([name, { server, email, color }]) => ({
      ...{ name, server, email },
      in_use: name === current,
      color: color ?? null,
    }));
    await emit({ contexts }, format, list, async () => {
      if (contexts.length === 0) return remark('No contexts. Run `backoffice login` to add one.');
      await emitTable<ListedContext>(
        [
          { heading: '', value: ({ in_use }) => (in_use ? '*' : '') },
          { heading: 'name', value: ({ name }) => name },
          { heading: 'server', value: ({ server }) => server },
          { heading: 'as', value: ({ email }) => email ?? '', dropAs: 1 },
          { heading: 'color', value: ({ color }) => color ?? '', dropAs: 2 },
        ],
        contexts,
      );
    });
  });
}
