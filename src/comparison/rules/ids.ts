import type { Finding } from '../compare/change.js'
import { commonRoles, compareNodes } from '../compare/compare-nodes.js'
import type { ContractRule } from '../compare/contract-rule.js'
import type { RoleNodes } from '../model/contract.js'
import type { SchemaNode } from '../model/schema-node.js'

/** Compares the ids of resources: whether clients send those of new resources, and the form of ids. */
export const ids: ContractRule = (sides) =>
  [...sides.before.types.values()].flatMap(({ name, ids: old, members }) => {
    const recent = sides.after.types.get(name)
    if (recent === undefined) return []
    const place = { sides, type: name, member: '.id', operations: [], subject: () => `The id of '${name}'` }
    const isCreated = members.create !== undefined && recent.members.create !== undefined
    const [before, after] = commonRoles(optional(old), optional(recent.ids))
    return [
      ...(isCreated ? clientIds(name, old.create, recent.ids.create) : []),
      ...(Object.keys(before).length === 0 ? [] : compareNodes(before, after, place)),
    ]
  })

/** Whether an id is required is told by itself. */
function optional(nodes: RoleNodes): RoleNodes {
  return Object.fromEntries(Object.entries(nodes).map(([role, node]) => [role, { ...node, isRequired: false }]))
}

type ClientIds = 'refused' | 'optional' | 'required'

function clientIdsOf(node: SchemaNode | undefined): ClientIds {
  if (node === undefined) return 'refused'
  return node.isRequired ? 'required' : 'optional'
}

function clientIds(type: string, before: SchemaNode | undefined, after: SchemaNode | undefined): readonly Finding[] {
  const [old, recent] = [clientIdsOf(before), clientIdsOf(after)]
  if (old === recent) return []
  const finding = (code: Finding['code'], says: string): readonly Finding[] => [
    { code, type, member: '.id', operations: [], sentence: `Clients ${says} the id of a new resource of '${type}'.` },
  ]
  switch (recent) {
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
