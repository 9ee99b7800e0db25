import type { DocumentInspection, JsonObject } from './document-inspection.js'
import { checkMeta, checkString, listAt, reportProblem, objectAt } from './document-inspection.js'
import { checkLinks, checkPaginationLinks, isAbsoluteUri } from './links.js'
import { checkMembers, visibleMembers } from './member-names.js'
import { checkLinkage, checkResource } from './resource-objects.js'

const topLevelMembers = ['data', 'errors', 'meta', 'jsonapi', 'links', 'included']
const jsonapiMembers = ['version', 'ext', 'profile', 'meta']

/** https://jsonapi.org/format/1.1/#document-top-level */
export function checkTopLevelMembers(document: JsonObject, inspection: DocumentInspection): void {
  const has = (member: string): boolean => Object.hasOwn(document, member)
  checkMembers(document, [], topLevelMembers, inspection)
  const extended = visibleMembers(document).some((member) => member.includes(':'))
  if (!has('data') && !has('errors') && !has('meta') && !extended) {
    reportProblem(inspection, [], "A document must have at least one of 'data', 'errors' and 'meta'.")
  }
  if (has('data') && has('errors')) reportProblem(inspection, [], "A document must not have both 'data' and 'errors'.")
  if (has('included') && !has('data'))
    reportProblem(inspection, ['included'], "A document without 'data' must not have the member 'included'.")
  checkLinks(document, [], inspection)
  checkPaginationLinks(document, [], inspection)
  checkMeta(document, [], inspection)
  checkJsonapi(document, inspection)
}

/** Checks the primary data: resource objects, or identifiers at a relationship endpoint; one, a list, or `null`. */
export function checkPrimaryData(data: unknown, identifiers: boolean, inspection: DocumentInspection): void {
  if (identifiers) checkLinkage(data, ['data'], inspection)
  else if (Array.isArray(data)) {
    for (const [index, resource] of data.entries()) checkResource(resource, ['data', index], inspection)
  } else if (data !== null) checkResource(data, ['data'], inspection)
}

export function checkIncluded(document: JsonObject, inspection: DocumentInspection): void {
  if (!Object.hasOwn(document, 'included')) return
  const included = listAt(document['included'], ['included'], inspection) ?? []
  for (const [index, resource] of included.entries()) checkResource(resource, ['included', index], inspection)
}

/** https://jsonapi.org/format/1.1/#document-jsonapi-object */
function checkJsonapi(document: JsonObject, inspection: DocumentInspection): void {
  if (!Object.hasOwn(document, 'jsonapi')) return
  const jsonapi = objectAt(document['jsonapi'], ['jsonapi'], inspection)
  if (jsonapi === null) return
  checkMembers(jsonapi, ['jsonapi'], jsonapiMembers, inspection)
  if (Object.hasOwn(jsonapi, 'version')) checkString(jsonapi['version'], ['jsonapi', 'version'], inspection)
  for (const member of ['ext', 'profile']) {
    if (!Object.hasOwn(jsonapi, member)) continue
    const uris = listAt(jsonapi[member], ['jsonapi', member], inspection) ?? []
    for (const [index, uri] of uris.entries()) {
      if (!isAbsoluteUri(uri)) reportProblem(inspection, ['jsonapi', member, index], 'This must be an absolute URI.')
    }
  }
  checkMeta(jsonapi, ['jsonapi'], inspection)
}
