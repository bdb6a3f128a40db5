/** How long a person counts as being there after the last key, touch or movement. */
const presentMs = 60_000;

/** Opening the page is the first sign. */
let seenAt = Date.now();

for (const type of ['keydown', 'pointerdown', 'pointermove', 'wheel'])
  addEventListener(type, () => (seenAt = Date.now()), { capture: true, passive: true });

/** Reports whether a person is at this page, and not only the page itself is active. */
export function isPersonThere(): boolean {
  return Date.now() - seenAt < presentMs;
}
