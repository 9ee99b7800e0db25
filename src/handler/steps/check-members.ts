import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { RequestContext } from '../../resource/request-context.js'
import { isWritable } from './is-writable.js'
import type { ResourceDocument } from './resource-document.js'

/** Members that a client may not write here; an error each only where the server is set to reject them. */
export function unknownMemberProblems(
  { type, attributeNamed, relationNamed }: CompiledType,
  { attributes, relationships }: ResourceDocument,
  mode: 'create' | 'update',
  context: RequestContext,
): readonly Problem[] {
  const problems: Problem[] = []
  for (const name of Object.keys(attributes)) {
    const attribute = attributeNamed.get(name)
    if (attribute !== undefined && isWritable(attribute, mode, context)) continue
    const source = { pointer: pointer('data', 'attributes', name) }
    problems.push(problem('ATTRIBUTE_UNRECOGNIZED', { attribute: name, type }, { source }))
  }
  for (const name of Object.keys(relationships)) {
    if (relationNamed.has(name)) continue
    const source = { pointer: pointer('data', 'relationships', name) }
    problems.push(problem('RELATIONSHIP_UNRECOGNIZED', { relationship: name, type }, { source }))
  }
  return problems
}
