import { fail } from '../../errors/json-api-error.js'
import { isFieldsetMember } from '../../resource/reading/selection.js'
import type { ReadContext } from '../read-context.js'

/** Refuses fieldsets with members that their type does not declare, if the server has strict fieldsets. */
export function checkFieldsets({
  query,
  context,
  services,
}: Pick<ReadContext, 'query' | 'context' | 'services'>): void {
  if (!services.strictFieldsets) return
  for (const [type, members] of query.fields) {
    const served = services.find(context.server, type)
    const unknown = [...members].filter((name) => served === null || !isFieldsetMember(served, name))
    if (unknown.length === 0) continue
    const details = { type, members: unknown.join(', ') }
    fail('FIELDSET_MEMBER_UNRECOGNIZED', details, { source: { parameter: 'fields' } })
  }
}
