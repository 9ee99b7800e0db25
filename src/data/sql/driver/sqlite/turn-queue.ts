/** A mutex: one caller at a time has the turn, in the order of the calls. */
export interface TurnQueue {
  /** Takes the turn if it is free, and returns the function that ends it. Returns null if it is taken. */
  takeNow(): (() => void) | null
  /**
   * Waits for the turn, and returns the function that ends it.
   *
   * @param timeout how many milliseconds to wait
   * @param timeoutError creates the error of a caller that has waited for that long
   */
  take(timeout: number, timeoutError: () => Error): Promise<() => void>
}

export function turnQueue(): TurnQueue {
  const waiting = new Set<() => void>()
  let isTaken = false

  /** Starts a turn, and returns the function that ends it. Only the first call of that function has an effect. */
  function startTurn(): () => void {
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
    takeNow: () => (isTaken ? null : startTurn()),
    take(timeout, timeoutError) {
      if (!isTaken) return Promise.resolve(startTurn())
      return new Promise((resolve, reject) => {
        const begin = (): void => {
          clearTimeout(timer)
          waiting.delete(begin)
          resolve(startTurn())
        }
        const timer = setTimeout(() => {
          waiting.delete(begin)
          reject(timeoutError())
        }, timeout)
        waiting.add(begin)
      })
    },
  }
}
