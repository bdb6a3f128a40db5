import { Command } from 'commander';
import { rotateSecretsCommand } from './rotate.ts';

/** `backoffice secrets`: the secrets that the service stores encrypted. */
export function secretsCommand(): Command {
  const command = new Command('secrets').description('encrypt the stored secrets with a new key');
  command.addCommand(rotateSecretsCommand());
  return command;
}
