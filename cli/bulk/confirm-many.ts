import { confirm } from '../input/prompts.ts';

/** A change of more rows is confirmed first, as in the dashboard. */
const maxUnasked = 20;

/** Asks before a change of many rows, unless `--yes` was given. */
export async function confirmMany(count: number, question: string, yes: boolean | undefined): Promise<void> {
  if (count > maxUnasked) await confirm(question, yes);
}
