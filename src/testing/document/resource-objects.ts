import { isMemberName } from '../../document/member-name.js'
import type { DocumentInspection, JsonObject, Path } from './document-inspection.js'
import { checkMeta, checkString, isJsonObject, reportProblem, objectAt } from './document-inspection.js'
import { checkLinks, checkPaginationLinks } from './links.js'
import { checkMemberNames, checkMembers, visibleMembers } from './member-names.js'

const resourceMembers = ['type', 'id', 'lid', 'attributes', 'relationships', 'links', 'meta']
const identifierMembers = ['type', 'id', 'lid', 'meta']
const relationshipMembers = ['links', 'data', 'meta']

/** https://jsonapi.org/format/1.1/#document-resource-objects */
export function checkResource(value: unknown, at: Path, inspection: DocumentInspection): void {
  const resource = objectAt(value, at, inspection)
  if (resource === null) return
  checkMembers(resource, at, resourceMembers, inspection)
  checkIdentity(resource, at, inspection)
  // A resource of a server must have an id; only a client may omit it.
  if (!Object.hasOwn(resource, 'id')) reportProblem(inspection, at, "A resource object must have the member 'id'.")
  checkFields(resource, at, inspection)
  checkLinks(resource, at, inspection)
  checkMeta(resource, at, inspection)
}

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
function checkIdentifier(value: unknown, at: Path, inspection: DocumentInspection): void {
  const identifier = objectAt(value, at, inspection)
  if (identifier === null) return
  checkMembers(identifier, at, identifierMembers, inspection)
  checkIdentity(identifier, at, inspection)
  if (!Object.hasOwn(identifier, 'id') && !Object.hasOwn(identifier, 'lid')) {
    reportProblem(
      inspection,
      at,
      "A resource identifier object must have the member 'id', or 'lid' for a new resource without an id.",
    )
  }
  checkMeta(identifier, at, inspection)
}

/** Checks linkage: `null`, one identifier, or a list of identifiers. */
export function checkLinkage(value: unknown, at: Path, inspection: DocumentInspection): void {
  if (value === null) return
  if (!Array.isArray(value)) return checkIdentifier(value, at, inspection)
  for (const [index, identifier] of value.entries()) checkIdentifier(identifier, [...at, index], inspection)
}

function checkIdentity(object: JsonObject, at: Path, inspection: DocumentInspection): void {
  if (!Object.hasOwn(object, 'type')) reportProblem(inspection, at, "This must have the member 'type'.")
  else if (checkString(object['type'], [...at, 'type'], inspection) && !isMemberName(object['type'])) {
    reportProblem(inspection, [...at, 'type'], `'${object['type']}' is not a valid name of a type.`)
  }
  for (const member of ['id', 'lid']) {
    if (Object.hasOwn(object, member)) checkString(object[member], [...at, member], inspection)
  }
}

/** Checks attributes and relationships, which share one namespace with `type` and `id`. */
function checkFields(resource: JsonObject, at: Path, inspection: DocumentInspection): void {
  const attributes = fieldsIn(resource, 'attributes', at, inspection)
  const relationships = fieldsIn(resource, 'relationships', at, inspection)
  for (const name of visibleMembers(relationships)) {
    if (Object.hasOwn(attributes, name)) {
      reportProblem(
        inspection,
        [...at, 'relationships', name],
        `'${name}' must not be both an attribute and a relationship.`,
      )
    }
    checkRelationship(relationships[name], [...at, 'relationships', name], inspection)
  }
}

function fieldsIn(resource: JsonObject, member: string, at: Path, inspection: DocumentInspection): JsonObject {
  const path = [...at, member]
  const fields = Object.hasOwn(resource, member) ? objectAt(resource[member], path, inspection) : null
  if (fields === null) return {}
  checkMemberNames(fields, path, inspection)
  for (const reserved of ['type', 'id']) {
    if (Object.hasOwn(fields, reserved))
      reportProblem(inspection, [...path, reserved], `No field may have the name '${reserved}'.`)
  }
  return fields
}

/** https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function checkRelationship(value: unknown, at: Path, inspection: DocumentInspection): void {
  const relationship = objectAt(value, at, inspection)
  if (relationship === null) return
  checkMembers(relationship, at, relationshipMembers, inspection)
  if (visibleMembers(relationship).length === 0) {
    reportProblem(inspection, at, "A relationship object must have at least one of 'links', 'data' and 'meta'.")
  }
  checkLinks(relationship, at, inspection)
  checkPaginationLinks(relationship, at, inspection)
  const { links } = relationship
  if (isJsonObject(links) && !['self', 'related'].some((name) => Object.hasOwn(links, name)) && !inspection.extended) {
    reportProblem(
      inspection,
      [...at, 'links'],
      "The links of a relationship must have at least one of 'self' and 'related'.",
    )
  }
  if (Object.hasOwn(relationship, 'data')) checkLinkage(relationship['data'], [...at, 'data'], inspection)
  checkMeta(relationship, at, inspection)
}
