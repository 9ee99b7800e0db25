import type { DocumentInspection, JsonObject, Path } from './document-inspection.js'
import {
  checkMeta,
  checkString,
  isJsonObject,
  listAt,
  objectAt,
  observe,
  reportProblem,
} from './document-inspection.js'
import { checkLinks } from './links.js'
import { checkMembers, visibleMembers } from './member-names.js'

const errorMembers = ['id', 'links', 'status', 'code', 'title', 'detail', 'source', 'meta']
const sourceMembers = ['pointer', 'parameter', 'header']
const jsonPointer = /^(?:\/(?:[^~/]|~[01])*)*$/

/** https://jsonapi.org/format/1.1/#error-objects */
export function checkErrors(value: unknown, status: number | null, inspection: DocumentInspection): void {
  const errors = listAt(value, ['errors'], 'error-object-key', inspection)
  if (errors === null) return
  if (errors.length === 0)
    reportProblem(inspection, null, ['errors'], 'An error document must have at least one error.')
  for (const [index, error] of errors.entries()) checkError(error, ['errors', index], inspection)
  if (status !== null) checkDocumentStatus(errors, status, inspection)
}

function checkError(value: unknown, at: Path, inspection: DocumentInspection): void {
  const error = objectAt(value, at, 'error-object-key', inspection)
  if (error === null) return
  checkMembers(error, at, errorMembers, inspection)
  observe(inspection, 'error-object-some-member', 'error-object-members')
  if (visibleMembers(error).length === 0)
    reportProblem(inspection, 'error-object-some-member', at, 'An error object must have at least one member.')
  for (const member of ['id', 'status', 'code', 'title', 'detail']) {
    if (Object.hasOwn(error, member)) checkString(error[member], [...at, member], 'error-object-members', inspection)
  }
  const { status } = error
  if (typeof status === 'string' && !/^[45]\d\d$/.test(status)) {
    reportProblem(
      inspection,
      'error-object-members',
      [...at, 'status'],
      `'${status}' is not the HTTP status of an error.`,
    )
  }
  checkSource(error, at, inspection)
  checkLinks(error, at, inspection)
  checkMeta(error, at, inspection)
}

function checkSource(error: JsonObject, at: Path, inspection: DocumentInspection): void {
  if (!Object.hasOwn(error, 'source')) return
  const path = [...at, 'source']
  const source = objectAt(error['source'], path, 'error-object-members', inspection)
  if (source === null) return
  checkMembers(source, path, sourceMembers, inspection)
  for (const member of sourceMembers) {
    if (Object.hasOwn(source, member))
      checkString(source[member], [...path, member], 'error-object-members', inspection)
  }
  const { pointer } = source
  if (typeof pointer === 'string' && !jsonPointer.test(pointer)) {
    reportProblem(inspection, 'error-object-members', [...path, 'pointer'], `'${pointer}' is not a JSON pointer.`)
  }
}

/**
 * Checks the status: it is the common status of the errors, or the class of the highest one, such as 400 or 500
 * (https://jsonapi.org/format/1.1/#errors-processing).
 */
function checkDocumentStatus(errors: readonly unknown[], status: number, inspection: DocumentInspection): void {
  const statuses = errors
    .map((error) => Number(isJsonObject(error) ? error['status'] : undefined))
    .filter(Number.isInteger)
  const [first] = statuses
  if (first === undefined) return
  const isCommon = statuses.every((each) => each === first)
  const common = isCommon ? first : Math.floor(Math.max(...statuses) / 100) * 100
  if (!isCommon) observe(inspection, 'error-general')
  if (status !== common) {
    reportProblem(
      inspection,
      isCommon ? null : 'error-general',
      ['errors'],
      `A response with errors of the status ${statuses.join(', ')} must have the status ${common}, not ${status}.`,
    )
  }
}
