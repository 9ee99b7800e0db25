import { isMemberName } from '../../../core/document/member-name.js'
import type { StatementId } from '../statements/statements.js'
import type { DocumentInspection, JsonObject, Path } from './document-inspection.js'
import { observe, reportProblem } from './document-inspection.js'

const extensionName = /^[a-zA-Z0-9]+:(.+)$/

/** Returns the members to which the rules of JSON:API apply. @-Members must be ignored. */
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
  observe(inspection, 'additional-members')
  for (const member of visibleMembers(object)) {
    if (allowed.includes(member) || isExtensionMember(member, at, inspection)) continue
    reportProblem(inspection, 'additional-members', [...at, member], `JSON:API defines no member '${member}' here.`)
  }
}

/** Checks the member names of an object whose members the application defines: attributes, relationships, links. */
export function checkMemberNames(object: JsonObject, at: Path, inspection: DocumentInspection): void {
  for (const member of visibleMembers(object)) {
    observe(inspection, ...memberNameStatements)
    if (isMemberName(member) || isExtensionMember(member, at, inspection)) continue
    reportProblem(inspection, violatedBy(member), [...at, member], `'${member}' is not a valid member name.`)
  }
}

const memberNameStatements = [
  'member-name-character',
  'member-name-allowed-characters-only',
  'member-name-globally-allowed',
  'member-name-reserved-characters',
] as const satisfies readonly StatementId[]

/** Returns the statement that an invalid name violates. https://jsonapi.org/format/1.1/#document-member-names */
function violatedBy(name: string): (typeof memberNameStatements)[number] {
  if (name === '') return 'member-name-character'
  if (/[+,.[\]!"#$%&'()*/:;<=>?@\\^`{|}~]/.test(name)) return 'member-name-reserved-characters'
  return /^[-_ ]|[-_ ]$/.test(name) ? 'member-name-globally-allowed' : 'member-name-allowed-characters-only'
}

function isExtensionMember(member: string, at: Path, inspection: DocumentInspection): boolean {
  const inner = extensionName.exec(member)?.[1]
  if (inner === undefined || !isMemberName(inner)) return false
  if (!inspection.extended) {
    reportProblem(
      inspection,
      'additional-members',
      [...at, member],
      `'${member}' is a member of an extension, but none is applied.`,
    )
  }
  return true
}
