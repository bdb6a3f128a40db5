/**
 * What actions of version 0.2 are called now. Null: the action is gone, and its key in `keys.json` is ignored.
 */
export const oldActions: Readonly<Record<string, string | null>> = {};
