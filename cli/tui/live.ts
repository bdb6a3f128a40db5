import type { Access } from '../access/access.ts';
import type { App } from './app.ts';

/** Tells the dashboard what happens in the service, until the signal; without a stream it looks by itself. */
export async function followChanges(_access: Access, _app: App, _signal: AbortSignal): Promise<void> {}
