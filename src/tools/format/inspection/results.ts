import type { DocumentInspection, JsonObject, Path } from './document-inspection.js'
import { checkMeta, listAt, reportProblem, objectAt } from './document-inspection.js'
import { checkMembers } from './member-names.js'
import { checkLinkage, checkResource } from './resource-objects.js'

const member = 'atomic:results'
const resultMembers = ['data', 'meta']

/** Checks a document of the Atomic Operations extension. https://jsonapi.org/ext/atomic/#document-structure */
export function checkAtomicDocument(document: JsonObject, inspection: DocumentInspection): void {
  const has = (name: string): boolean => Object.hasOwn(document, name)
  for (const name of ['data', 'included']) {
    if (has(name))
      reportProblem(
        inspection,
        null,
        [name],
        `A document of the Atomic Operations extension must not have the member '${name}'.`,
      )
  }
  if (has('atomic:operations'))
    reportProblem(inspection, null, ['atomic:operations'], "Only a client may send 'atomic:operations'.")
  if (!has(member)) {
    if (!has('errors'))
      reportProblem(
        inspection,
        null,
        [],
        `A document of the Atomic Operations extension must have '${member}' or 'errors'.`,
      )
    return
  }
  if (has('errors'))
    reportProblem(inspection, null, ['errors'], `A document with '${member}' must not have the member 'errors'.`)
  const results = listAt(document[member], [member], null, inspection)
  if (results === null) return
  if (results.length === 0)
    reportProblem(inspection, null, [member], 'There must be a result for each operation, so at least one.')
  for (const [index, result] of results.entries()) checkResult(result, [member, index], inspection)
}

/** https://jsonapi.org/ext/atomic/#result-objects */
function checkResult(value: unknown, at: Path, inspection: DocumentInspection): void {
  const result = objectAt(value, at, null, inspection)
  if (result === null) return
  checkMembers(result, at, resultMembers, inspection)
  checkMeta(result, at, inspection)
  const { data } = result
  if (data === undefined || data === null) return
  // The identifier of a to-one relationship is also a valid resource object, without fields.
  if (Array.isArray(data)) checkLinkage(data, [...at, 'data'], inspection)
  else checkResource(data, [...at, 'data'], null, inspection)
}
