/** The environment variables that select the data a command works on: the help of the program names them. */
export const mainVariables = {
  DATABASE_URL: 'Postgres database (15 to 18); if unset, an embedded Postgres in the data directory',
  BACKOFFICE_SERVER: 'server that commands use, like `--server`',
  BACKOFFICE_TOKEN: 'API token for that server',
} as const;
