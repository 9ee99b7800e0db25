import { fail } from '../../errors/json-api-error.js'
import type { QueryParameters } from '../../operation/query-parameters.js'
import { isFieldsetMember } from '../../resource/reading/selection.js'
import type { HandlerServices } from '../handler-services.js'

/** Fieldsets may name only what their type declares. */
export function checkFieldsets({ fields }: QueryParameters, server: string, services: HandlerServices): void {
  if (!services.strictFieldsets) return
  for (const [type, members] of fields) {
    const served = services.find(server, type)
    const unknown = [...members].filter(
      (name) => served === null || !isFieldsetMember(served.type, served.serializer, name),
    )
    if (unknown.length === 0) continue
    const context = { type, members: unknown.join(', ') }
    fail('FIELDSET_MEMBER_UNRECOGNIZED', context, { source: { parameter: 'fields' } })
  }
}
