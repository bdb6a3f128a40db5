/**
 * Drops answers that arrive late. Call the returned function when a request starts; call what that returns when its
 * answer arrives. It returns false if a later request has been answered already.
 */
export function latestOnly(): () => () => boolean {
  let started = 0;
  let answered = 0;
  return () => {
    started += 1;
    const request = started;
    return () => {
      if (request < answered) return false;
      answered = request;
      return true;
    };
  };
}
