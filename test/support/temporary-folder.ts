import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates an empty folder that only this user can enter. It is removed with its contents after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backoffice-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
