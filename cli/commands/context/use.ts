import { Command } from 'commander';
import { UsageError } from '../../errors.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';

/** `backoffice context use`. */
export function useContextCommand(): Command {
  const command = new Command('use')
    .description('let commands work through another server, or on the database again')
    .argument('[context]', 'the name of the context')
    .option('--none', 'on the database of this machine')
    .addHelpText('after', '\nExamples:\n  backoffice context use staging\n  backoffice context use --none');
  return command.action(async (name: string | undefined, { none }: { none?: true }) => {
    if ((name === undefined) === (none === undefined))
      throw new UsageError('Name a context, or use --none for the database of this machine.');
    const { checkContext, ownContexts } = await import('./find.ts');
    const { changeContexts } = await import('../../contexts/contexts-file.ts');
    const { file, ...found } = await ownContexts();
    await changeContexts(file, (now) => {
      if (name !== undefined) checkContext(now, name);
      return { ...now, current: name ?? null };
    });
    const server = name === undefined ? undefined : found.contexts[name]?.server;
    print(
      printable(server === undefined ? 'No context is in use.' : `The context ${name} is in use: ${server}.`),
    );
    if (name === undefined) return;
    const { warnOfOverride } = await import('../../contexts/override.ts');
    const { readConfig } = await import('../../../src/config.ts');
    warnOfOverride(readConfig(), name);
  });
}
