/** Rolls back the transaction that it is called in. The result is then that of `withRollback`. */
export type RollBack<Result> = (result: Result) => never

/**
 * Runs work that may roll back its transaction and still has a result.
 *
 * @param run opens the transaction, and calls `rollBack` in it: that throws, so no code in between may catch all errors
 */
export async function withRollback<Result>(run: (rollBack: RollBack<Result>) => Promise<Result>): Promise<Result> {
  // A store may retry the work, and so call it several times.
  const results = new Map<unknown, Result>()
  const rollBack: RollBack<Result> = (result) => {
    const signal = new Error('The transaction is rolled back, and its work has a result.')
    results.set(signal, result)
    throw signal
  }
  try {
    return await run(rollBack)
  } catch (thrown) {
    if (!results.has(thrown)) throw thrown
    return results.get(thrown) as Result
  }
}
