/** The properties of a field for an e-mail. Not `type="email"`: browsers refuse or rewrite letters that are not ASCII in it. */
export const emailInput = {
  inputMode: 'email',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
} as const;
