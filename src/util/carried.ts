import { AsyncLocalStorage } from 'node:async_hooks'

/** A value that work carries along to everything that it calls and waits for. */
export interface Carried<Value> {
  run<Result>(value: Value, work: () => Promise<Result>): Promise<Result>
  /**
   * The same where no function is around the work: for what the running code does from now on. Only within `watch()`: other
   * code shares its place with whatever else the same socket wakes. Answers how to end it.
   */
  enter(value: Value): () => void
  /** Runs work in which a value may be entered. It costs more than a plain statement does: for work that needs it. */
  watch<Result>(work: () => Promise<Result>): Promise<Result>
  /** The value of the work that the running code is part of. */
  current(): Value | undefined
}

const nobody: unknown = Object.freeze({})

/** While nothing carries one, it costs nothing: Node leads every promise of the process past each storage that is in use. */
export function carried<Value>(): Carried<Value> {
  const storage = new AsyncLocalStorage<Value>()
  let running = 0
  const end = (): void => {
    running -= 1
    if (running === 0) storage.disable()
  }
  return Object.freeze<Carried<Value>>({
    async run(value, work) {
      running += 1
      try {
        return await storage.run(value, work)
      } finally {
        end()
      }
    },
    enter(value) {
      running += 1
      storage.enterWith(value)
      return end
    },
    async watch(work) {
      running += 1
      try {
        // There is no other way to turn it on, and only code that is woken from then on is told apart from other.
        storage.run(nobody as Value, () => undefined)
        await Promise.resolve()
        return await work()
      } finally {
        end()
      }
    },
    current: () => storage.getStore(),
  })
}
