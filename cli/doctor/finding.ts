/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** What to do about it. */
  readonly mend?: string;
}

/** All is well. */
export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail };
}

/** It works, and it should be looked at. */
export function warning(check: string, detail: string, mend: string): Finding {
  return { check, state: 'warning', detail, mend };
}

/** It does not work. */
export function failed(check: string, detail: string, mend: string): Finding {
  return { check, state: 'failed', detail, mend };
}

/** Whether it works is not known: something else has to be mended first. */
export function notChecked(check: string, because: string): Finding {
  return { check, state: 'warning', detail: `not checked: ${because}` };
}
