/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** How to fix it. */
  readonly fix?: string;
}

/** Returns the finding that nothing is wrong. */
export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail };
}

/** Returns the finding that something works but needs attention. */
export function warning(check: string, detail: string, advice: string): Finding {
  return { check, state: 'warning', detail, fix: advice };
}

/** Returns the finding that something does not work. */
export function failed(check: string, detail: string, advice: string): Finding {
  return { check, state: 'failed', detail, fix: advice };
}

/** Returns the finding of a check that was not run, because something else must be fixed first. */
export function notChecked(check: string, because: string): Finding {
  return { check, state: 'warning', detail: `not checked: ${because}` };
}
