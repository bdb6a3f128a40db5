import { Argument, Command } from 'commander';
import type { Shell } from '../completion/question.ts';
import { print } from '../terminal.ts';

/** How each shell is made to read its script. */
const installs: Readonly<Record<Shell, string>> = {
  bash: `
Add this line to ~/.bashrc:
  source <(backoffice completion bash)
With the package bash-completion, once:
  backoffice completion bash > ~/.local/share/bash-completion/completions/backoffice`,
  zsh: `
Add this line to ~/.zshrc, after compinit:
  source <(backoffice completion zsh)
Or once, to a folder of $fpath:
  backoffice completion zsh > ~/.zfunc/_backoffice`,
  fish: `
Once:
  backoffice completion fish > ~/.config/fish/completions/backoffice.fish`,
};

const shells = Object.keys(installs) as Shell[];

/** `backoffice completion`: what a shell needs to complete commands, options and values. */
export function completionCommand(program: Command): Command {
  const command = new Command('completion').description(
    'print what makes a shell complete commands and values',
  );
  for (const shell of shells) command.addCommand(script(shell));
  command.addCommand(suggestions(program), { hidden: true });
  return command;
}

function script(shell: Shell): Command {
  return new Command(shell)
    .description(`print the script for ${shell}`)
    .addHelpText('after', installs[shell])
    .action(async () => {
      const { scripts } = await import('../completion/scripts.ts');
      print(scripts[shell]);
    });
}

/** What the scripts ask at each press of the key. Whatever goes wrong, nothing is printed into the person's line. */
function suggestions(program: Command): Command {
  return new Command('suggest')
    .description('answer a script of completion')
    .addArgument(new Argument('<shell>', 'which script asks').choices(shells))
    .argument('[words...]', 'what stands before the cursor')
    .addHelpText('after', '\nExample:\n  backoffice completion suggest fish -- issues list --st')
    .action(async (shell: Shell, words: string[]) => {
      const { answer } = await import('../completion/answer.ts');
      for (const line of await answer(program, shell, words)) print(line);
    });
}
