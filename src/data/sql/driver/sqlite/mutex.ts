/** A mutex: one caller at a time holds the lock, in the order of the calls. */
export interface Mutex {
  /** Acquires the lock if it is free, and returns the function that releases it. Returns null if it is held. */
  tryAcquire(): (() => void) | null
  /**
   * Waits for the lock, and returns the function that releases it.
   *
   * @param timeout how many milliseconds to wait
   * @param timeoutError creates the error of a caller that has waited for that long
   */
  acquire(timeout: number, timeoutError: () => Error): Promise<() => void>
}

export function mutex(): Mutex {
  const waiting = new Set<() => void>()
  let isLocked = false

  /** Acquires the lock, and returns the function that releases it. Only the first call of that function has an effect. */
  function lock(): () => void {
    isLocked = true
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      isLocked = false
      const [next] = waiting
      next?.()
    }
  }

  return {
    tryAcquire: () => (isLocked ? null : lock()),
    acquire(timeout, timeoutError) {
      if (!isLocked) return Promise.resolve(lock())
      return new Promise((resolve, reject) => {
        const begin = (): void => {
          clearTimeout(timer)
          waiting.delete(begin)
          resolve(lock())
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
