import { Command } from 'commander';
import { tailEventsCommand } from './tail.ts';

/** `backoffice events`: what happens, while it happens. */
export function eventsCommand(): Command {
  return new Command('events').description('follow what happens').addCommand(tailEventsCommand());
}
