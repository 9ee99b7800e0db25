import type { Finding } from '../compare/change.js'
import { commonRoles, compareNodes } from '../compare/compare-nodes.js'
import type { ContractRule } from '../compare/contract-rule.js'
import type { RoleNodes } from '../model/contract.js'
import type { SchemaNode } from '../model/schema-node.js'

/** Compares the ids of resources: whether clients send the ids of new resources, and the form of ids. */
export const ids: ContractRule = (sides) =>
  [...sides.before.types.values()].flatMap(({ name, ids: old, members }) => {
    const newer = sides.after.types.get(name)
    if (newer === undefined) return []
    const place = { sides, type: name, member: '.id', operations: [], subject: () => `The id of '${name}'` }
    const isCreated = members.create !== undefined && newer.members.create !== undefined
    const [before, after] = commonRoles(optional(old), optional(newer.ids))
    return [
      ...(isCreated ? clientIds(name, old.create, newer.ids.create) : []),
      ...(Object.keys(before).length === 0 ? [] : compareNodes(before, after, place)),
    ]
  })

/** Makes ids optional, because `clientIds` compares whether they are required. */
function optional(nodes: RoleNodes): RoleNodes {
  return Object.fromEntries(Object.entries(nodes).map(([role, node]) => [role, { ...node, isRequired: false }]))
}

type ClientIds = 'refused' | 'optional' | 'required'

function clientIdsOf(node: SchemaNode | undefined): ClientIds {
  if (node === undefined) return 'refused'
  return node.isRequired ? 'required' : 'optional'
}

function clientIds(type: string, before: SchemaNode | undefined, after: SchemaNode | undefined): readonly Finding[] {
  const [old, newer] = [clientIdsOf(before), clientIdsOf(after)]
  if (old === newer) return []
  const finding = (code: Finding['code'], clause: string): readonly Finding[] => [
    { code, type, member: '.id', operations: [], sentence: `Clients ${clause} the id of a new resource of '${type}'.` },
  ]
  switch (newer) {
    case 'required':
      return finding('client-id-required', 'must send')
    case 'refused':
      return finding('client-id-refused', 'can no longer send')
    case 'optional':
      return old === 'required'
        ? finding('client-id-optional', 'need no longer send')
        : finding('client-id-accepted', 'may send')
  }
}
