import type { Command } from 'commander';
import type { Config } from '../../src/config.ts';

/** What a command line says about the server that a command works through. */
export interface Named {
  readonly server?: string | undefined;
  readonly context?: string | undefined;
}

/** Returns what a command line says about the target of a command. */
export function namedTarget(command: Command): Named {
  const { server, context }: Named = command.optsWithGlobals();
  return { server, context };
}

/** The variables that say it. */
export type NamedConfig = Pick<Config, 'server' | 'context'>;

/** Returns what the command line or else the environment says about the target, if they say something. */
export function askedTarget(named: Named, config: NamedConfig): Named | undefined {
  const fromEnvironment = { server: config.server, context: config.context };
  return [named, fromEnvironment].find(
    ({ server, context }) => server !== undefined || context !== undefined,
  );
}
