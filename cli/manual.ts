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
  'issues recount': 'backoffice issues recount --check',
  'saved-replies': 'backoffice saved-replies list',
  secrets: 'backoffice secrets rotate',
  settings: 'backoffice settings get site_name',
  'settings list': 'backoffice settings list --json',
  admins: 'backoffice admins list',
  'admins list': 'backoffice admins list --page 2 --json email,role',
  usage: 'backoffice usage show',
  'usage show': 'backoffice usage show --month last --csv > models.csv',
  'usage alerts': 'backoffice usage alerts --json message,status',
  'usage prices': 'backoffice usage prices set small-1 --input 0.15 --output 0.60',
  'usage prices list': 'backoffice usage prices list --json',
  'usage budget': 'backoffice usage budget set 50.00',
  'usage budget show': 'backoffice usage budget show --json',
  'usage recompute': 'backoffice usage recompute --check',
  scraping: 'backoffice scraping show',
  'scraping show': 'backoffice scraping show --month last --csv > sources.csv',
  'scraping errors': 'backoffice scraping errors --json id,message,issueIds',
  context: 'backoffice context use staging',
  'context list': 'backoffice context list',
  sessions: 'backoffice sessions list',
  'sessions list': 'backoffice sessions list --json email,last_seen_at',
  audit: 'backoffice audit list --since 7d',
  events: 'backoffice events tail',
  webhooks: 'backoffice webhooks create https://example.com/hooks',
  'webhooks list': 'backoffice webhooks list --json id,url,failing_since',
  tokens: 'backoffice tokens list',
  'tokens list': 'backoffice tokens list --json name,last_used_at',
  migrate: 'backoffice migrate status',
  'migrate status': 'backoffice migrate status --json name,state',
  'migrate up': 'backoffice migrate up --dry-run',
  doctor: 'backoffice doctor --json',
  version: 'backoffice version --json commit',
  openapi: 'backoffice openapi > openapi.json',
  completion: 'source <(backoffice completion bash)',
};
