import { fail } from '../../errors/json-api-error.js'
import { offered } from '../../errors/offered.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import { visibilityOf } from '../../resource/fields/visible-field.js'
import { isFieldsetMember } from '../../resource/reading/selection.js'
import type { RequestContext } from '../../resource/request-context.js'
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
    const details = { type, members: unknown.join(', '), offered: offered(visibleMembers(served, context)) }
    fail('FIELDSET_MEMBER_UNRECOGNIZED', details, { source: { parameter: 'fields' } })
  }
}

/** Returns the members of a type that the caller may see; none for an unknown type. */
function visibleMembers(served: ServedType | null, context: RequestContext): readonly string[] {
  if (served === null) return []
  const { attributes, relations } = served.type
  const declared = [...attributes, ...relations].filter(({ spec }) => visibilityOf(spec, context) !== 'hidden')
  return [...new Set([...declared.map(({ name }) => name), ...(served.serializer?.members ?? [])])]
}
