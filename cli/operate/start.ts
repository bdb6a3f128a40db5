import { verb } from '../verb/verb.ts';

const notes =
  'Reads PORT, HOST, DATABASE_URL, SESSION_SECRET and other variables: see Environment in docs/cli.md.';

/** Starts everything with one command. */
export const up = verb({
  params: {},
  operations: [],
  output: 'nothing',
  notes,
  examples: ['PORT=8080 backoffice up'],
  async run({ command }) {
    const { up } = await import('./up.ts');
    await up(command);
  },
});

/** Starts the API only, for a process manager. */
export const serve = verb({
  params: {},
  operations: [],
  output: 'nothing',
  notes,
  examples: ['DATABASE_URL=postgres://… SESSION_SECRET=… backoffice serve'],
  async run({ command }) {
    const { serve } = await import('./serve.ts');
    await serve(command);
  },
});
