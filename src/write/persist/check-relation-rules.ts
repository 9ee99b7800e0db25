import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { IncomingValues } from '../../resource/policy/rule-kit.js'
import { checkRules } from './check-rules.js'
import type { WriteCheck, WrittenRow } from './rows-outside.js'

interface SentRelation {
  readonly relation: ServedRelation
}

/** Returns the abilities of `security({ mutate })` of relations that a document sends. */
export function abilitiesOf(sent: readonly SentRelation[]): readonly string[] {
  if (sent.length === 0) return none
  const declared = sent.map(({ relation }) => relation.spec.security?.mutate)
  return [...new Set(declared.filter((ability) => typeof ability === 'string'))]
}

const none: readonly string[] = Object.freeze([])

/** Fails with 401 or 403 if the caller may not change relations that were sent in the document of a resource. */
export async function checkRelationRules(
  row: WrittenRow,
  sent: readonly SentRelation[],
  check: WriteCheck,
  incoming: IncomingValues,
): Promise<void> {
  for (const ability of abilitiesOf(sent)) await checkRules([row], ability, check, incoming)
}
