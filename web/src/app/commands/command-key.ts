/** The key that one holds for a command: ⌘ on keyboards of Apple, Ctrl on all others. */
export const commandKey = /^(Mac|iP)/.test(navigator.platform) ? '⌘' : 'Ctrl';
