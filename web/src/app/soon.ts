/** Returns a function that runs another one a moment later, once for all calls until then. */
export function soon(run: () => void, delayMs: number): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      run();
    }, delayMs);
  };
}
