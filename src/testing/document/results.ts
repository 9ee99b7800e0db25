import type { Inspection, JsonObject, Path } from './inspection.js'
import { checkMeta, listAt, note, objectAt } from './inspection.js'
import { checkMembers } from './member-names.js'
import { checkLinkage, checkResource } from './resource-objects.js'

const member = 'atomic:results'
const resultMembers = ['data', 'meta']

/** What a document has where the extension is applied. https://jsonapi.org/ext/atomic/#document-structure */
export function checkAtomicDocument(document: JsonObject, inspection: Inspection): void {
  const has = (name: string): boolean => Object.hasOwn(document, name)
  for (const name of ['data', 'included']) {
    if (has(name)) note(inspection, [name], `A document of the extension has no member '${name}'.`)
  }
  if (has('atomic:operations')) note(inspection, ['atomic:operations'], 'Operations are sent by clients only.')
  if (!has(member)) {
    if (!has('errors')) note(inspection, [], `A document of the extension has '${member}' or 'errors'.`)
    return
  }
  if (has('errors')) note(inspection, ['errors'], `'errors' do not stand beside '${member}'.`)
  const results = listAt(document[member], [member], inspection)
  if (results === null) return
  if (results.length === 0) note(inspection, [member], 'There is a result for each operation, and so at least one.')
  for (const [index, result] of results.entries()) checkResult(result, [member, index], inspection)
}

/** https://jsonapi.org/ext/atomic/#result-objects */
function checkResult(value: unknown, at: Path, inspection: Inspection): void {
  const result = objectAt(value, at, inspection)
  if (result === null) return
  checkMembers(result, at, resultMembers, inspection)
  checkMeta(result, at, inspection)
  const { data } = result
  if (data === undefined || data === null) return
  // The one identifier of a to-one relationship is a resource object too, with nothing but its identity.
  if (Array.isArray(data)) checkLinkage(data, [...at, 'data'], inspection)
  else checkResource(data, [...at, 'data'], inspection)
}
