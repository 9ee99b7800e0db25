const hour = 3_600_000

interface KeyOwner {
  removeExpiredKeys(): Promise<number>
}

/** Removes expired stored responses once an hour. Returns a function that stops it. */
export function startCleanUp(server: KeyOwner): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    running = server.removeExpiredKeys().catch((error: unknown) => console.error(error))
  }, hour)
  return async () => {
    clearInterval(timer)
    await running
  }
}
