import { createHash } from 'node:crypto';
import { type Branding, brandingKeys, readBranding } from '../../contract/known-settings/branding.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import { shareNext } from '../../shared/waiting/single-flight.ts';
import { atMost } from '../../shared/waiting/wait.ts';
import { brandingStyle } from './branding-style.ts';

/** How long a page waits for the database before it shows the last branding that was read. */
const timeoutMs = 1_000;

export interface CurrentBranding extends Pick<Branding, 'name' | 'logo'> {
  /** A style sheet. */
  readonly style: string;
  /** Differs as soon as anything of it does. */
  readonly version: string;
}

export type ReadBranding = (version?: string) => Promise<CurrentBranding>;

/**
 * Returns a function that reads how the web dashboard looks. Each call reads the settings again, so that every instance shows a
 * change at once, unless the last one had the wanted version. Without the database, the last one counts.
 *
 * Everybody may open a page, so all pages together take one connection: those that are opened during a query share the next
 * one.
 */
export function brandingReader({ primary }: Databases): ReadBranding {
  let last = currentBranding(readBranding({}).value);
  async function refresh(): Promise<CurrentBranding> {
    const settings = await selectSettings(primary, brandingKeys).catch(() => undefined);
    if (settings !== undefined) last = currentBranding(readBranding(settings).value);
    return last;
  }
  const refreshShared = shareNext(refresh);
  return async (version) => {
    if (version === last.version) return last;
    return (await atMost(timeoutMs, refreshShared())) ?? last;
  };
}

function currentBranding({ name, logo, accent }: Branding): CurrentBranding {
  const style = brandingStyle(accent);
  const hash = createHash('sha256').update(JSON.stringify([name, logo, style]));
  return { name, logo, style, version: hash.digest('base64url').slice(0, 12) };
}
