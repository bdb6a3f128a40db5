import { mainVariables } from '../src/main-variables.ts';
import { examples, exitCodes } from './manual.ts';

/** Returns the text below the list of commands in `backoffice --help`. */
export function epilogue(): string {
  const variables = Object.entries(mainVariables);
  const width = Math.max(...variables.map(([name]) => name.length));
  const lines = variables.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
  return `
Examples:
${examples.map((example) => `  ${example}`).join('\n')}

Environment:
${lines.join('\n')}
  docs/cli.md lists the others.

Exit codes:
  ${exitCodes.map(([code, meaning]) => `${code} ${meaning}`).join(', ')}`;
}
