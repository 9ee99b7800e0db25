import type { DocumentInspection, JsonObject } from './document-inspection.js'
import {
  checkMeta,
  checkString,
  isJsonObject,
  listAt,
  objectAt,
  observe,
  reportProblem,
} from './document-inspection.js'
import { checkLinks, checkPaginationLinks, isAbsoluteUri } from './links.js'
import { checkMembers, visibleMembers } from './member-names.js'
import { checkLinkage, checkResource } from './resource-objects.js'

const topLevelMembers = ['data', 'errors', 'meta', 'jsonapi', 'links', 'included']
const jsonapiMembers = ['version', 'ext', 'profile', 'meta']

/** https://jsonapi.org/format/1.1/#document-top-level */
export function checkTopLevelMembers(document: JsonObject, inspection: DocumentInspection): void {
  const has = (member: string): boolean => Object.hasOwn(document, member)
  observe(inspection, 'required-top-level', 'data-errors')
  checkMembers(document, [], topLevelMembers, inspection)
  const extended = visibleMembers(document).some((member) => member.includes(':'))
  if (!has('data') && !has('errors') && !has('meta') && !extended) {
    reportProblem(
      inspection,
      'required-top-level',
      [],
      "A document must have at least one of 'data', 'errors' and 'meta'.",
    )
  }
  if (has('data') && has('errors'))
    reportProblem(inspection, 'data-errors', [], "A document must not have both 'data' and 'errors'.")
  if (['jsonapi', 'links', 'included'].some(has)) observe(inspection, 'optional-top-level')
  if (has('included')) observe(inspection, 'data-included')
  if (has('included') && !has('data')) {
    const problem = "A document without 'data' must not have the member 'included'."
    reportProblem(inspection, 'data-included', ['included'], problem)
  }
  checkLinks(document, [], inspection)
  if (isJsonObject(document['links'])) observe(inspection, 'top-level-links')
  checkPaginationLinks(document, [], inspection)
  checkMeta(document, [], inspection)
  checkJsonapi(document, inspection)
}

/** Checks the primary data: resource objects, or identifiers at a relationship endpoint; one, a list, or `null`. */
export function checkPrimaryData(data: unknown, identifiers: boolean, inspection: DocumentInspection): void {
  observe(inspection, 'primary-data')
  if (identifiers) checkLinkage(data, ['data'], inspection)
  else if (Array.isArray(data)) {
    for (const [index, resource] of data.entries()) {
      checkResource(resource, ['data', index], 'primary-data', inspection)
    }
  } else if (data !== null) checkResource(data, ['data'], 'primary-data', inspection)
}

export function checkIncluded(document: JsonObject, inspection: DocumentInspection): void {
  if (!Object.hasOwn(document, 'included')) return
  const statement = 'compound-documents-top-level-included'
  const included = listAt(document['included'], ['included'], statement, inspection) ?? []
  if (included.length > 0) observe(inspection, 'compound-documents-allow')
  for (const [index, resource] of included.entries()) {
    checkResource(resource, ['included', index], statement, inspection)
  }
}

/** https://jsonapi.org/format/1.1/#document-jsonapi-object */
function checkJsonapi(document: JsonObject, inspection: DocumentInspection): void {
  if (!Object.hasOwn(document, 'jsonapi')) return
  observe(inspection, 'top-level-json-api-member')
  const jsonapi = objectAt(document['jsonapi'], ['jsonapi'], 'json-api-type', inspection)
  if (jsonapi === null) return
  checkMembers(jsonapi, ['jsonapi'], jsonapiMembers, inspection)
  if (Object.hasOwn(jsonapi, 'version'))
    checkString(jsonapi['version'], ['jsonapi', 'version'], 'json-api-version', inspection)
  for (const member of ['ext', 'profile']) {
    if (!Object.hasOwn(jsonapi, member)) continue
    const uris = listAt(jsonapi[member], ['jsonapi', member], 'json-api-ext-profile', inspection) ?? []
    for (const [index, uri] of uris.entries()) {
      if (isAbsoluteUri(uri)) continue
      const problem = 'This must be an absolute URI.'
      reportProblem(inspection, 'json-api-ext-profile', ['jsonapi', member, index], problem)
    }
  }
  if (Object.hasOwn(jsonapi, 'meta')) observe(inspection, 'json-api-meta')
  checkMeta(jsonapi, ['jsonapi'], inspection)
}
