import { Command } from 'commander';
import { listEventsCommand } from './list.ts';
import { tailEventsCommand } from './tail.ts';

/** `backoffice events`: the events: the latest ones, and new ones as they happen. */
export function eventsCommand(): Command {
  return new Command('events').addCommand(listEventsCommand()).addCommand(tailEventsCommand());
}
