import type { Shell } from './question.ts';

// Each script runs the program under the name that was typed, so that `./bin/backoffice.js` completes like `backoffice`.
// The first line of the answer is its kind, `values` or `files`. The other lines are the values.

const bash = `# Completion of backoffice for bash 3.2 and newer.
_backoffice() {
  COMPREPLY=()
  local kind value
  {
    IFS= read -r kind
    # The registration below falls back to file names. Turn that off for everything but files.
    if [[ $kind != files ]]; then compopt +o default 2>/dev/null; fi
    while IFS= read -r value; do COMPREPLY+=("$value"); done
  } < <("\${COMP_WORDS[0]/#\\~/$HOME}" completion suggest bash -- "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -o default -F _backoffice backoffice backoffice.js`;

const zsh = `#compdef backoffice backoffice.js
# Completion of backoffice for zsh.
_backoffice() {
  local kind value line
  local -a found listed
  {
    IFS= read -r kind
    while IFS=$'\\t' read -r value line; do found+=("$value") listed+=("$line"); done
  } < <("\${\${(Q)words[1]}/#\\~/$HOME}" completion suggest zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  if [[ $kind == files ]]; then
    _files
  else
    compadd -l -V backoffice -d listed -a -- found
  fi
}
if [[ $funcstack[1] == _backoffice ]]; then
  _backoffice "$@"
else
  compdef _backoffice backoffice backoffice.js
fi`;

const fish = `# Completion of backoffice for fish.
function __backoffice_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -e words[1]
    set -l answer ($program completion suggest fish -- $words "$current" 2>/dev/null)
    if test "$answer[1]" = files
        __fish_complete_path "$current"
        return
    end
    set -e answer[1]
    for line in $answer
        echo $line
    end
end
complete -c backoffice -c backoffice.js --no-files --keep-order --arguments '(__backoffice_complete)'`;

/** The completion script of each shell. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
