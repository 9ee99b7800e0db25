import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { responseFaults } from './success-responses.js'

/** What an action responds with is some, can be its answer, each status once, of types that the server has. */
export const actionResponses: BuildRule = eachType((declared, world) =>
  declared.type.actions.flatMap(({ path, responses }) =>
    responseFaults(responses, { member: `actions.${path}.responds`, place: 'action', declared, world }),
  ),
)
