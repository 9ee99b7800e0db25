const hour = 3_600_000

interface Cleaned {
  removeExpiredKeys(): Promise<number>
}

/** Removes responses that clients can no longer ask for again, once an hour. Returns a function that ends it. */
export function startCleanUp(server: Cleaned): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    running = server.removeExpiredKeys().catch((error: unknown) => console.error(error))
  }, hour)
  return async () => {
    clearInterval(timer)
    await running
  }
}
