/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** How to fix it. */
  readonly mend?: string;
}

/** Nothing is wrong. */
export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail };
}

/** It works, but needs attention. */
export function warning(check: string, detail: string, mend: string): Finding {
  return { check, state: 'warning', detail, mend };
}

/** It does not work. */
export function failed(check: string, detail: string, mend: string): Finding {
  return { check, state: 'failed', detail, mend };
}

/** It is unknown whether it works: something else must be fixed first. */
export function notChecked(check: string, because: string): Finding {
  return { check, state: 'warning', detail: `not checked: ${because}` };
}
