import { isMemberName } from '../../document/member-name.js'
import type { Inspection, JsonObject, Path } from './inspection.js'
import { note } from './inspection.js'

const extensionName = /^[a-zA-Z0-9]+:(.+)$/

/** The members that the format speaks of: processors must act as if @-members were not there. */
export function visibleMembers(object: JsonObject): readonly string[] {
  return Object.keys(object).filter((member) => !member.startsWith('@'))
}

/** For objects whose members the format lists. */
export function checkMembers(object: JsonObject, at: Path, allowed: readonly string[], inspection: Inspection): void {
  for (const member of visibleMembers(object)) {
    if (allowed.includes(member) || isExtensionMember(member, at, inspection)) continue
    note(inspection, [...at, member], `The format defines no member '${member}' here.`)
  }
}

/** For objects whose members the author names: attributes, relationships, links. */
export function checkMemberNames(object: JsonObject, at: Path, inspection: Inspection): void {
  for (const member of visibleMembers(object)) {
    if (isMemberName(member) || isExtensionMember(member, at, inspection)) continue
    note(inspection, [...at, member], `'${member}' is not a legal member name.`)
  }
}

function isExtensionMember(member: string, at: Path, inspection: Inspection): boolean {
  const inner = extensionName.exec(member)?.[1]
  if (inner === undefined || !isMemberName(inner)) return false
  if (!inspection.extended) {
    note(inspection, [...at, member], `'${member}' is a member of an extension, and none is applied.`)
  }
  return true
}
