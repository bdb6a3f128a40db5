import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes an empty folder that only this user may enter. It is gone, with what is in it, when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backoffice-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
