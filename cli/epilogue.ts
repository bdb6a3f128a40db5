import { environmentVariables } from '../src/environment.ts';
import { examples, exitCodes } from './manual.ts';

/** The variables that select the data a command works on. */
const dataVariables = ['DATABASE_URL', 'BACKOFFICE_SERVER', 'BACKOFFICE_TOKEN'];

/** Returns the text below the list of commands in `backoffice --help`. */
export function epilogue(): string {
  const variables = environmentVariables().filter(({ name }) => dataVariables.includes(name));
  const width = Math.max(...dataVariables.map((name) => name.length));
  const lines = variables.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`);
  return `
Examples:
${examples.map((example) => `  ${example}`).join('\n')}

Environment:
${lines.join('\n')}
  docs/cli.md lists the others.

Exit codes:
  ${exitCodes.map(([code, meaning]) => `${code} ${meaning}`).join(', ')}`;
}
