import { Command } from 'commander';
import { exportSettingsCommand } from './export.ts';
import { getSettingCommand } from './get.ts';
import { importSettingsCommand } from './import.ts';
import { listSettingsCommand } from './list.ts';
import { setSettingCommand } from './set.ts';
import { unsetSettingCommand } from './unset.ts';

/** `backoffice settings`: the settings of the website. */
export function settingsCommand(): Command {
  const command = new Command('settings');
  const verbs = [
    listSettingsCommand(),
    getSettingCommand(),
    setSettingCommand(),
    unsetSettingCommand(),
    exportSettingsCommand(),
    importSettingsCommand(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
