import { backoffice, type Run, runNode } from './command.ts';

/** The forms of a list. Each prints every row into a pipe. */
const forms = ['--json', '--json id,title', '--jsonl', '--csv', '--limit 0', '--jsonl --jq .title'];

/** The memory of a form, and of the same form with the first thousand rows. */
export interface FormMemory {
  readonly form: string;
  readonly all: Run;
  readonly few: Run;
}

/** Measures the peak memory of each form of the list of all issues, directly on the database. */
export async function measureMemory(databaseUrl: string): Promise<FormMemory[]> {
  const env = { DATABASE_URL: databaseUrl };
  const measured: FormMemory[] = [];
  for (const form of forms) {
    const words = `issues list ${form}`;
    const few = await runNode(
      backoffice(form === '--limit 0' ? 'issues list --limit 1000' : `${words} --limit 1000`),
      env,
      true,
    );
    const all = await runNode(backoffice(words), env, true);
    console.log(`${form}: ${few.peakMb.toFixed(0)} MB for 1,000 rows, ${all.peakMb.toFixed(0)} MB for all`);
    measured.push({ form, all, few });
  }
  return measured;
}
