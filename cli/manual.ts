import { mainVariables } from '../src/main-variables.ts';

/** The meaning of each exit code. `failures.ts` maps errors to them. */
export const exitCodes: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done'],
  [1, 'failed'],
  [2, 'wrong usage'],
  [3, 'not found'],
  [4, 'not allowed or not connected'],
  [130, 'stopped by Ctrl-C'],
];

/** Examples for `backoffice --help` and docs/cli.md. */
export const examples = [
  'backoffice issues list --status Open --since 7d',
  'backoffice issues stats --period weekly',
  'backoffice admins create --email grace@example.com --role superadmin',
  'backoffice conversations list --unread --json id,subject,last_message',
];

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
