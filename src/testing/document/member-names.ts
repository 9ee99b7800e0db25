import { isMemberName } from '../../document/member-name.js'
import type { DocumentInspection, JsonObject, Path } from './document-inspection.js'
import { reportProblem } from './document-inspection.js'

const extensionName = /^[a-zA-Z0-9]+:(.+)$/

/** Returns the members that the rules of JSON:API apply to. @-Members must be ignored. */
export function visibleMembers(object: JsonObject): readonly string[] {
  return Object.keys(object).filter((member) => !member.startsWith('@'))
}

/** Checks the members of an object whose members JSON:API defines. */
export function checkMembers(
  object: JsonObject,
  at: Path,
  allowed: readonly string[],
  inspection: DocumentInspection,
): void {
  for (const member of visibleMembers(object)) {
    if (allowed.includes(member) || isExtensionMember(member, at, inspection)) continue
    reportProblem(inspection, [...at, member], `JSON:API defines no member '${member}' here.`)
  }
}

/** Checks the member names of an object whose members the application defines: attributes, relationships, links. */
export function checkMemberNames(object: JsonObject, at: Path, inspection: DocumentInspection): void {
  for (const member of visibleMembers(object)) {
    if (isMemberName(member) || isExtensionMember(member, at, inspection)) continue
    reportProblem(inspection, [...at, member], `'${member}' is not a valid member name.`)
  }
}

function isExtensionMember(member: string, at: Path, inspection: DocumentInspection): boolean {
  const inner = extensionName.exec(member)?.[1]
  if (inner === undefined || !isMemberName(inner)) return false
  if (!inspection.extended) {
    reportProblem(inspection, [...at, member], `'${member}' is a member of an extension, but none is applied.`)
  }
  return true
}
