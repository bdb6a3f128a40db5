import { Command, Option } from 'commander';
import { type Context, contextColours } from '../../contexts/contexts-file.ts';
import { UsageError } from '../../errors.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';

interface EditOptions {
  readonly color?: Context['color'] | 'none';
}

/** `backoffice context edit`. */
export function editContextCommand(): Command {
  const command = new Command('edit')
    .description('give a context a colour, so that you see in the dashboard where you are')
    .argument('<context>', 'the name of the context')
    .addOption(
      new Option('--color <color>', "the colour of the dashboard's header").choices([
        ...contextColours,
        'none',
      ]),
    )
    .addHelpText('after', '\nExample:\n  backoffice context edit production --color red');
  return command.action(async (name: string, { color }: EditOptions) => {
    if (color === undefined) throw new UsageError('Say what to change, such as --color red.');
    const { checkContext, ownContexts } = await import('./find.ts');
    const { changeContexts } = await import('../../contexts/contexts-file.ts');
    const { file } = await ownContexts();
    await changeContexts(file, (found) => {
      checkContext(found, name);
      const { color: _before, ...context } = found.contexts[name] as Context;
      const edited = color === 'none' ? context : { ...context, color };
      return { ...found, contexts: { ...found.contexts, [name]: edited } };
    });
    print(printable(color === 'none' ? `${name} has no colour now.` : `${name} is ${color} now.`));
  });
}
