import { isMemberName } from '../../../core/document/member-name.js'
import type { StatementId } from '../statements/statements.js'
import type { DocumentInspection, JsonObject, Path } from './document-inspection.js'
import { checkMeta, checkString, isJsonObject, objectAt, observe, reportProblem } from './document-inspection.js'
import { checkLinks, checkPaginationLinks } from './links.js'
import { checkMemberNames, checkMembers, visibleMembers } from './member-names.js'

const resourceMembers = ['type', 'id', 'lid', 'attributes', 'relationships', 'links', 'meta']
const identifierMembers = ['type', 'id', 'lid', 'meta']
const relationshipMembers = ['links', 'data', 'meta']

/**
 * Checks a resource object; `statement` is the one that requires an object here.
 * https://jsonapi.org/format/1.1/#document-resource-objects
 */
export function checkResource(
  value: unknown,
  at: Path,
  statement: StatementId | null,
  inspection: DocumentInspection,
): void {
  const resource = objectAt(value, at, statement, inspection)
  if (resource === null) return
  observe(inspection, 'resource-id-type', 'resource-required-top-level', 'resource-optional-top-level')
  checkMembers(resource, at, resourceMembers, inspection)
  checkIdentity(resource, at, 'resource-id-type', inspection)
  // A resource of a server must have an id; only a client may omit it.
  if (!Object.hasOwn(resource, 'id'))
    reportProblem(inspection, 'resource-id-type', at, "A resource object must have the member 'id'.")
  checkFields(resource, at, inspection)
  checkLinks(resource, at, inspection)
  if (isJsonObject(resource['links'])) observe(inspection, 'resource-links')
  checkMeta(resource, at, inspection)
}

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
function checkIdentifier(value: unknown, at: Path, inspection: DocumentInspection): void {
  const identifier = objectAt(value, at, 'resource-linkage', inspection)
  if (identifier === null) return
  observe(inspection, 'resource-identifier-required-members')
  checkMembers(identifier, at, identifierMembers, inspection)
  checkIdentity(identifier, at, 'resource-identifier-required-members', inspection)
  if (!Object.hasOwn(identifier, 'id') && !Object.hasOwn(identifier, 'lid')) {
    reportProblem(
      inspection,
      'resource-identifier-required-members',
      at,
      "A resource identifier object must have the member 'id', or 'lid' for a new resource without an id.",
    )
  }
  if (Object.hasOwn(identifier, 'meta')) observe(inspection, 'resource-identifier-optional-member')
  checkMeta(identifier, at, inspection)
}

/** Checks linkage: `null`, one identifier, or a list of identifiers. */
export function checkLinkage(value: unknown, at: Path, inspection: DocumentInspection): void {
  observe(inspection, 'resource-linkage')
  if (value === null) return
  if (!Array.isArray(value)) return checkIdentifier(value, at, inspection)
  for (const [index, identifier] of value.entries()) checkIdentifier(identifier, [...at, index], inspection)
}

function checkIdentity(object: JsonObject, at: Path, statement: StatementId, inspection: DocumentInspection): void {
  if (!Object.hasOwn(object, 'type')) reportProblem(inspection, statement, at, "This must have the member 'type'.")
  else if (checkString(object['type'], [...at, 'type'], 'resource-id-type-types', inspection)) {
    observe(inspection, 'resource-type-constraints')
    if (!isMemberName(object['type'])) {
      reportProblem(
        inspection,
        'resource-type-constraints',
        [...at, 'type'],
        `'${object['type']}' is not a valid name of a type.`,
      )
    }
  }
  for (const member of ['id', 'lid']) {
    if (Object.hasOwn(object, member))
      checkString(object[member], [...at, member], 'resource-id-type-types', inspection)
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
        'resource-fields',
        [...at, 'relationships', name],
        `'${name}' must not be both an attribute and a relationship.`,
      )
    }
    checkRelationship(relationships[name], [...at, 'relationships', name], inspection)
  }
}

function fieldsIn(
  resource: JsonObject,
  member: 'attributes' | 'relationships',
  at: Path,
  inspection: DocumentInspection,
): JsonObject {
  const path = [...at, member]
  if (!Object.hasOwn(resource, member)) return {}
  const fields = objectAt(resource[member], path, `resource-${member}-key`, inspection)
  if (fields === null) return {}
  observe(inspection, 'resource-fields')
  checkMemberNames(fields, path, inspection)
  for (const reserved of ['type', 'id']) {
    if (Object.hasOwn(fields, reserved))
      reportProblem(inspection, 'resource-fields', [...path, reserved], `No field may have the name '${reserved}'.`)
  }
  return fields
}

/** https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function checkRelationship(value: unknown, at: Path, inspection: DocumentInspection): void {
  const relationship = objectAt(value, at, 'resource-relationships-object', inspection)
  if (relationship === null) return
  checkMembers(relationship, at, relationshipMembers, inspection)
  const { links } = relationship
  if (visibleMembers(relationship).length === 0) {
    reportProblem(
      inspection,
      'resource-relationships-object',
      at,
      "A relationship object must have at least one of 'links', 'data' and 'meta'.",
    )
  }
  checkLinks(relationship, at, inspection)
  checkPaginationLinks(relationship, at, inspection)
  if (isJsonObject(links)) checkRelationshipLinks(links, relationship, at, inspection)
  if (Object.hasOwn(relationship, 'data')) checkLinkage(relationship['data'], [...at, 'data'], inspection)
  checkMeta(relationship, at, inspection)
}

/** The format requires these links only if the relationship has neither data nor meta. */
function checkRelationshipLinks(
  links: JsonObject,
  relationship: JsonObject,
  at: Path,
  inspection: DocumentInspection,
): void {
  if (['first', 'last', 'prev', 'next'].some((name) => Object.hasOwn(links, name)))
    observe(inspection, 'resource-relationships-pagination')
  if (['self', 'related'].some((name) => Object.hasOwn(links, name)) || inspection.extended) return
  const isDescribed = Object.hasOwn(relationship, 'data') || Object.hasOwn(relationship, 'meta')
  reportProblem(
    inspection,
    isDescribed ? null : 'resource-relationships-object',
    [...at, 'links'],
    "The links of a relationship must have at least one of 'self' and 'related'.",
  )
}
