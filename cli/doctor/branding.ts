import { shadesOf } from '../../src/contract/known-settings/accent-shades.ts';
import {
  type Branding,
  brandingKeys,
  bytesOf,
  defaultName,
  readBranding,
} from '../../src/contract/known-settings/branding.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { selectSettings } from '../../src/db/tables/settings.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Checks the settings for the name, the logo and the accent colour of the web dashboard. */
export async function checkBranding(db: Database): Promise<Finding> {
  const check = 'branding';
  const { value, problems } = readBranding(await selectSettings(db, brandingKeys));
  if (problems.length > 0) {
    const advice = 'Correct it at /settings, which shows a preview, or with `backoffice settings set`.';
    return warning(check, `${problems.join(' ')} It counts as unset.`, advice);
  }
  const parts = describe(value);
  return ok(check, parts.length === 0 ? 'the default name and colours' : parts.join(', '));
}

function describe({ name, logo, accent }: Branding): string[] {
  return [
    ...(name === defaultName ? [] : [`the name ${JSON.stringify(name)}`]),
    ...(logo === null ? [] : [`a logo (${logo.type}) of ${Math.ceil(bytesOf(logo) / 1_000)} kB`]),
    ...(accent === null ? [] : [describeAccent(accent)]),
  ];
}

/** An accent that could not be read in a theme has another shade there. */
function describeAccent(accent: string): string {
  const { light, dark } = shadesOf(accent);
  const shades = [
    ...(light.accent === accent ? [] : [`${light.accent} in the light theme`]),
    ...(dark.accent === accent ? [] : [`${dark.accent} in the dark theme`]),
  ];
  const shown = shades.length === 0 ? '' : ` (for contrast, ${shades.join(' and ')})`;
  return `the accent ${accent}${shown}`;
}
