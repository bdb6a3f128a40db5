import { Command } from 'commander';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';

/** `backoffice context delete`. */
export function deleteContextCommand(): Command {
  const command = new Command('delete')
    .description('forget a context; its token stays valid, which `backoffice logout` would revoke')
    .argument('<context>', 'the name of the context')
    .addHelpText('after', '\nExample:\n  backoffice context delete staging');
  return command.action(async (name: string) => {
    const { checkContext, ownContexts } = await import('./find.ts');
    const { removeContext } = await import('../../contexts/contexts-file.ts');
    const { file, ...found } = await ownContexts();
    checkContext(found, name);
    await removeContext(file, name);
    print(printable(`Forgot the context ${name}.`));
  });
}
