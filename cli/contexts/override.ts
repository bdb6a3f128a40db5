import type { Config } from '../../src/config.ts';
import { printable } from '../output/text.ts';
import { remark } from '../terminal.ts';
import type { NamedConfig } from './named-target.ts';

/** The variables that go before the context in use. */
type OverridingConfig = NamedConfig & Pick<Config, 'namesDatabase'>;

/** Warns if a variable decides what commands work on, and not the context that a person has just chosen. */
export function warnOfOverride(config: OverridingConfig, chosen: string): void {
  const variable = overridingVariable(config, chosen);
  if (variable === undefined) return;
  remark(
    printable(
      `Warning: ${variable} is set, so commands do not use this context. Unset it, or add --context ${chosen} to them.`,
    ),
  );
}

function overridingVariable(
  { server, context, namesDatabase }: OverridingConfig,
  chosen: string,
): string | undefined {
  if (server !== undefined) return 'BACKOFFICE_SERVER';
  if (context !== undefined) return context === chosen ? undefined : 'BACKOFFICE_CONTEXT';
  return namesDatabase ? 'DATABASE_URL or BACKOFFICE_DATA' : undefined;
}
