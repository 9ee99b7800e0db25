/** Lets one at a time have something, in the order in which they ask. */
export interface TurnQueue {
  /** How to end the turn at once where nobody has it; else `null`. */
  takeNow(): (() => void) | null
  /**
   * Waits for the turn, and answers how to end it.
   *
   * @param patience milliseconds
   * @param late makes the error of who has waited for as long as that
   */
  take(patience: number, late: () => Error): Promise<() => void>
}

export function turnQueue(): TurnQueue {
  const waiting = new Set<() => void>()
  let isTaken = false

  /** Ends its turn once, however often it is called. */
  function turn(): () => void {
    isTaken = true
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      isTaken = false
      const [next] = waiting
      next?.()
    }
  }

  return {
    takeNow: () => (isTaken ? null : turn()),
    take(patience, late) {
      if (!isTaken) return Promise.resolve(turn())
      return new Promise((resolve, reject) => {
        const begin = (): void => {
          clearTimeout(timer)
          waiting.delete(begin)
          resolve(turn())
        }
        const timer = setTimeout(() => {
          waiting.delete(begin)
          reject(late())
        }, patience)
        waiting.add(begin)
      })
    },
  }
}
