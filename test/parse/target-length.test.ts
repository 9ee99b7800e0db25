import { expect, it } from 'vitest'
import { checkTargetLength } from '../../src/server/journey/check-method.js'
import { stubRequest } from './stub-request.js'
import { thrownProblem } from './thrown-problem.js'

it('A request target may be as long as the limit, the question mark counted', async () => {
  expect(await thrownProblem(() => checkTargetLength(stubRequest({ path: '/a', query: 'b=c' }), 6))).toBeUndefined()
  expect(await thrownProblem(() => checkTargetLength(stubRequest({ path: '/a', query: 'b=cd' }), 6))).toMatchObject({
    code: 'URI_TOO_LONG',
    context: { limit: 6 },
  })
})
