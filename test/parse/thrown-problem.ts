import { JsonApiError, type Problem } from '../../src/core/errors/json-api-error.js'

/** The one problem that the action fails with; `undefined` when it succeeds. Anything else it throws is passed on. */
export async function thrownProblem(action: () => unknown): Promise<Problem | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    if (!JsonApiError.is(error)) throw error
    return error.problems[0]
  }
}
