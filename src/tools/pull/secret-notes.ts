import { declaredMembers, memberNamed } from './declared-members.js'
import type { PullNote, SecretColumn } from './plan/plan.js'

/**
 * Returns a note for each table with columns that look like secrets, and one for each such column that a user has declared.
 *
 * @param textOf returns the text of a declaration file after the pull
 */
export function secretNotes(
  secrets: readonly SecretColumn[],
  textOf: (path: string) => string | null,
): readonly PullNote[] {
  const served = new Set(secrets.filter((secret) => isDeclared(secret, textOf)))
  const hidden = secrets.filter((secret) => !served.has(secret))
  const tables = [...new Set(hidden.map(({ table }) => table))]
  const left = tables.map((table): PullNote => {
    const columns = hidden.filter((secret) => secret.table === table)
    const needed = columns.filter(({ isNeeded }) => isNeeded).map(({ column }) => column)
    const remark = needed.length === 0 ? '' : ` Clients cannot create rows, which need ${needed.join(', ')}.`
    const sentence = `${columns.map(({ column }) => column).join(', ')}.${remark}`
    return { kind: 'secret', subject: table, sentence }
  })
  const shown = [...served].map(({ table, column, attribute }): PullNote => {
    const sentence = `It looks like a secret, and is served: ${attribute?.file}.ts declares '${attribute?.name}'.`
    return { kind: 'note', subject: `${table}.${column}`, sentence }
  })
  return [...left, ...shown]
}

function isDeclared({ attribute }: SecretColumn, textOf: (path: string) => string | null): boolean {
  if (attribute === null) return false
  const declaration = declaredMembers(textOf(`${attribute.file}.ts`), attribute.constant)
  const attributes = declaration === null ? undefined : memberNamed(declaration, 'attributes')
  return attributes?.inner?.parts.some(({ key }) => key === attribute.name) ?? false
}
