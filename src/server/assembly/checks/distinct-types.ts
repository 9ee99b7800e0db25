import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, DeclaredType } from '../declared/build-rule.js'
import { typeLabel } from '../declared/build-rule.js'

/** On one server, every type name and every path segment belongs to one type. */
export const distinctTypes: BuildRule = ({ types, servers }) =>
  servers.flatMap((server) => {
    const onServer = types.filter(({ type }) => type.servers.includes(server) && type.type !== '')
    return [
      ...repeated(onServer, ({ type }) => type.type).map((second) => ({
        type: typeLabel(second),
        member: null,
        problem: `is declared twice on the server '${server}'`,
        remedy: "keep one of the two, or give one another type: albums.with({ type: 'records' })",
      })),
      ...repeated(onServer, ({ type }) => type.uriType)
        // Two types with the same name are reported above.
        .filter((second) => onServer.find(({ type }) => type.type === second.type.type) === second)
        .map((second): BuildFault => {
          const first = onServer.find(({ type }) => type.uriType === second.type.uriType)
          return {
            type: typeLabel(second),
            member: 'uriType',
            problem: `shares the path segment '${second.type.uriType}' with '${first?.type.type}' on the server '${server}'`,
            remedy: 'give one of the two another uriType',
          }
        }),
    ]
  })

function repeated(types: readonly DeclaredType[], key: (declared: DeclaredType) => string): readonly DeclaredType[] {
  const seen = new Set<string>()
  return types.filter((declared) => {
    const isRepeated = seen.has(key(declared))
    seen.add(key(declared))
    return isRepeated
  })
}
