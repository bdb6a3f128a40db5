import type { Contexts } from '../access/contexts.ts';
import { UsageError } from '../errors.ts';
import { emitList } from '../output/emit.ts';
import type { Column } from '../terminal/columns.ts';
import { print } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { argument, flag, maybe, text } from '../verb/parameters.ts';
import { verb, verbs } from '../verb/verb.ts';

const named = text('the name of the context', 'context', 'contexts');
const known = argument(named);

/** Returns the contexts as rows. */
const listed = ({ contexts, current }: Contexts) =>
  Object.entries(contexts).map(([name, { server, email, color = null }]) => ({
    name,
    server,
    email,
    in_use: name === current,
    color,
  }));

const rows = { name: 'contexts', id: 'name', fields: () => ['name', 'server', 'email', 'in_use', 'color'] };

const columns: readonly Column<ReturnType<typeof listed>[number]>[] = [
  { heading: '', field: 'in_use', value: ({ in_use }) => (in_use ? '*' : '') },
  { heading: 'name', value: ({ name }) => name },
  { heading: 'server', value: ({ server }) => server },
  { heading: 'as', field: 'email', value: ({ email }) => email ?? '', dropAs: 1 },
  { heading: 'color', value: ({ color }) => color ?? '', dropAs: 2 },
];

/** The servers that somebody has signed in to. */
export const context = verbs('backoffice context use staging', {
  list: verb({
    about: 'list the servers that you have signed in to',
    output: 'table',
    fields: rows.fields,
    examples: ['backoffice context list'],
    async run({ format }) {
      const { readContexts } = await import('../access/contexts.ts');
      const contexts = listed(await readContexts());
      const none = 'No contexts. Run `backoffice login` to add one.';
      await emitList({ contexts }, format, rows, columns, { none });
    },
  }),

  use: verb({
    about: 'choose the server that commands use, or the local database',
    params: { context: maybe(named), none: flag('the local database') },
    output: 'nothing',
    examples: ['backoffice context use staging', 'backoffice context use --none'],
    async run({ given: { context: name, none } }) {
      if ((name === undefined) === (none === undefined))
        throw new UsageError('Name a context, or use --none for the local database.');
      const { changeContexts, knownContext } = await import('../access/contexts.ts');
      const changed = await changeContexts((found) => {
        if (name !== undefined) knownContext(found, name);
        return { ...found, current: name ?? null };
      });
      if (name === undefined) return print('No context is in use.');
      print(printable(`The context ${name} is in use: ${knownContext(changed, name).server}.`));
      const { warnOfOverride } = await import('../access/contexts.ts');
      const { readConfig } = await import('../../src/config.ts');
      warnOfOverride(readConfig(), name);
    },
  }),

  rename: verb({
    about: 'rename a context',
    params: { context: known, name: argument(text('the new name', 'new-name')) },
    output: 'nothing',
    examples: ['backoffice context rename backoffice.example.com production'],
    async run({ given: { context: before, name } }) {
      const { changeContexts, knownContext } = await import('../access/contexts.ts');
      await changeContexts((found) => {
        knownContext(found, before);
        if (name === '') throw new UsageError('A context needs a name.');
        if (name !== before && Object.hasOwn(found.contexts, name))
          throw new UsageError(
            `There is a context ${name} already. Choose another name, or delete that one.`,
          );
        const renamed = (each: string) => (each === before ? name : each);
        const contexts = Object.entries(found.contexts).map(([each, value]) => [renamed(each), value]);
        return { current: found.current && renamed(found.current), contexts: Object.fromEntries(contexts) };
      });
      print(printable(`The context ${before} is ${name} now.`));
    },
  }),

  delete: verb({
    about: 'forget a context; its token stays valid, which `backoffice logout` would revoke',
    params: { context: known },
    output: 'nothing',
    examples: ['backoffice context delete staging'],
    async run({ given: { context: name } }) {
      const { removeContext } = await import('../access/contexts.ts');
      await removeContext(name);
      print(printable(`Forgot the context ${name}.`));
    },
  }),
});
