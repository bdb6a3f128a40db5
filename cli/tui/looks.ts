/**
 * Numbers the looks at something that changes: what is returned begins one, and says, when its answer is there, whether
 * that is to be taken. Answers may come in another order, and one that a later look has overtaken is older than what is
 * seen.
 */
export function createLooks(): () => () => boolean {
  let asked = 0;
  let taken = 0;
  return () => {
    asked += 1;
    const look = asked;
    return () => {
      if (look < taken) return false;
      taken = look;
      return true;
    };
  };
}
