import { print } from '../terminal/terminal.ts';
import { argument, number, or, type Parameter, word } from '../verb/parameters.ts';
import { type Noun, type Paragraphs, verb } from '../verb/verb.ts';
import type { LoadProgram } from './answer.ts';
import type { Shell } from './shells.ts';

/** The longest acceptable wait at a prompt. */
const lookupTimeoutMs = 1_500;

const passed: Parameter<readonly string[]> = {
  place: 'words',
  about: 'the words before the cursor',
  term: 'words',
};

/**
 * Returns the commands with which a shell completes commands, options and values.
 *
 * @param loadProgram - returns the program with the commands that a line needs
 */
export const completion = (loadProgram: LoadProgram): Noun => ({
  example: 'source <(backoffice completion bash)',
  verbs: {
    bash: scriptOf('bash', [
      'Add this line to ~/.bashrc:',
      ['source <(backoffice completion bash)'],
      'Or, with the bash-completion package, run once:',
      [
        'mkdir -p ~/.local/share/bash-completion/completions',
        'backoffice completion bash > ~/.local/share/bash-completion/completions/backoffice',
      ],
    ]),
    zsh: scriptOf('zsh', [
      'Add this line to ~/.zshrc, after compinit:',
      ['source <(backoffice completion zsh)'],
      'Or write it once to a folder in $fpath:',
      ['mkdir -p ~/.zfunc', 'backoffice completion zsh > ~/.zfunc/_backoffice'],
    ]),
    fish: scriptOf('fish', [
      'Run once:',
      [
        'mkdir -p ~/.config/fish/completions',
        'backoffice completion fish > ~/.config/fish/completions/backoffice.fish',
      ],
    ]),

    /** The scripts call it each time the user presses Tab. It prints no errors: they would end up in the line being typed. */
    suggest: verb({
      about: 'answer a completion script',
      isHidden: true,
      params: {
        shell: argument(word('the shell of the script', ['bash', 'zsh', 'fish'])),
        words: passed,
        timeoutMs: or(number('maximum time to look up values', 1), lookupTimeoutMs),
      },
      output: 'nothing',
      examples: ['backoffice completion suggest fish -- issues list --st'],
      async run({ given: { shell, words, timeoutMs } }) {
        const { answer } = await import('./answer.ts');
        for (const line of await answer(loadProgram, shell, words, timeoutMs)) print(line);
      },
    }),
  },
});

/** @param notes - how to install it */
function scriptOf(shell: Shell, notes: Paragraphs) {
  return verb({
    about: `print the script for ${shell}`,
    output: 'nothing',
    notes,
    examples: [],
    async run() {
      const { scripts } = await import('./shells.ts');
      print(scripts[shell]);
    },
  });
}
