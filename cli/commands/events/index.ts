import { Command } from 'commander';
import { tailEventsCommand } from './tail.ts';

/** `backoffice events`: the events, as they happen. */
export function eventsCommand(): Command {
  return new Command('events').addCommand(tailEventsCommand());
}
