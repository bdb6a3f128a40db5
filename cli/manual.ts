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

/** Examples for commands whose `--help` needs no other text. Every level of `--help` has an example. */
export const moreExamples: Readonly<Record<string, string>> = {
  issues: 'backoffice issues list --status Open',
  conversations: 'backoffice conversations list --unread',
  'conversations draft': 'backoffice conversations draft approve conv_1769851800000_k3x9a2b',
  mail: 'backoffice mail test',
  'mail test': 'backoffice mail test',
  labels: 'backoffice labels list',
  comments: 'backoffice comments list --issue 42',
  'saved-replies': 'backoffice saved-replies list',
  secrets: 'backoffice secrets rotate',
  visitors: 'backoffice visitors export ada@example.com > ada.json',
  admins: 'backoffice admins list',
  'admins list': 'backoffice admins list --page 2 --json email,role',
  webhooks: 'backoffice webhooks create https://example.com/hooks',
  'webhooks list': 'backoffice webhooks list --json id,url,failing_since',
  migrate: 'backoffice migrate status',
  'migrate status': 'backoffice migrate status --json name,state',
  'migrate up': 'backoffice migrate up --dry-run',
  doctor: 'backoffice doctor --json',
  completion: 'source <(backoffice completion bash)',
};
