/** Returns what the output of a program of Postgres says about a failure: the line with the reason, in short. */
export function reasonIn(output: string): string {
  // The usual reason, in words that say what to do.
  if (output.includes('No space left on device')) return 'its disk is full. Free space, then try again';
  const lines = output.trim().split('\n');
  // Hints, and what was tidied up, come after the line with the reason.
  return lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? '';
}
