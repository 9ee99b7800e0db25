import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { responseFaults } from './success-responses.js'

/** Checks that an action has responses that actions can send, with distinct statuses and types of the same server. */
export const actionResponses: BuildRule = eachType((declared, context) =>
  declared.type.actions.flatMap(({ path, responses }) =>
    responseFaults(responses, { member: `actions.${path}.responds`, operation: 'action', declared, context }),
  ),
)
