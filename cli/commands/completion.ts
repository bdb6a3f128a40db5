import { Argument, Command, Option } from 'commander';
import type { LoadProgram } from '../completion/answer.ts';
import type { Shell } from '../completion/question.ts';
import { wholeNumber } from '../input/arguments.ts';
import { print } from '../terminal.ts';

/** How to install the script of each shell. */
const installation: Readonly<Record<Shell, string>> = {
  bash: `
Add this line to ~/.bashrc:
  source <(backoffice completion bash)
Or, with the bash-completion package, run once:
  mkdir -p ~/.local/share/bash-completion/completions
  backoffice completion bash > ~/.local/share/bash-completion/completions/backoffice`,
  zsh: `
Add this line to ~/.zshrc, after compinit:
  source <(backoffice completion zsh)
Or write it once to a folder in $fpath:
  mkdir -p ~/.zfunc
  backoffice completion zsh > ~/.zfunc/_backoffice`,
  fish: `
Run once:
  mkdir -p ~/.config/fish/completions
  backoffice completion fish > ~/.config/fish/completions/backoffice.fish`,
  powershell: `
Add this line to the file that $PROFILE names:
  backoffice completion powershell | Out-String | Invoke-Expression`,
};

/** The longest acceptable wait at a prompt. */
const lookupTimeoutMs = 1_500;

const shells = Object.keys(installation) as Shell[];

/** `backoffice completion`: what a shell needs to complete commands, options and values. */
export function completionCommand(loadProgram: LoadProgram): Command {
  const command = new Command('completion');
  for (const shell of shells) command.addCommand(printScriptCommand(shell));
  command.addCommand(suggestCommand(loadProgram), { hidden: true });
  return command;
}

function printScriptCommand(shell: Shell): Command {
  return new Command(shell)
    .description(`print the script for ${shell === 'powershell' ? 'PowerShell' : shell}`)
    .addHelpText('after', installation[shell])
    .action(async () => {
      const { scripts } = await import('../completion/scripts.ts');
      print(scripts[shell]);
    });
}

/**
 * Creates the command that the scripts call each time the user presses Tab. It prints no errors, because they would end
 * up in the line being typed.
 */
function suggestCommand(loadProgram: LoadProgram): Command {
  return new Command('suggest')
    .description('answer a completion script')
    .addArgument(new Argument('<shell>', 'the shell of the script').choices(shells))
    .argument('[words...]', 'the words before the cursor')
    .addOption(
      new Option('--timeout-ms <number>', 'maximum time to look up values')
        .argParser(wholeNumber(1))
        .default(lookupTimeoutMs),
    )
    .addHelpText('after', '\nExample:\n  backoffice completion suggest fish -- issues list --st')
    .action(async (shell: Shell, words: string[], { timeoutMs }: { timeoutMs: number }) => {
      const { answer } = await import('../completion/answer.ts');
      for (const line of await answer(loadProgram, shell, words, timeoutMs)) print(line);
    });
}
