import { compareChildren, componentRenames } from '../compare/compare-nodes.js'
import type { ContractRule } from '../compare/contract-rule.js'
import type { NodeKind } from '../model/schema-node.js'

/** Compares the attributes and relations of types, and the members of their values, in responses and requests. */
export const members: ContractRule = (sides) =>
  [...sides.before.types.values()].flatMap(({ name, members: old }) => {
    const newer = sides.after.types.get(name)?.members
    if (newer === undefined) return []
    const subject = (kind: NodeKind, member: string | null): string => memberText(kind, member ?? '', name)
    const place = { sides, type: name, member: null, operations: [], subject }
    return [...componentRenames(old, newer, place), ...compareChildren(old, newer, place)]
  })

/** Returns a member as the subject of a sentence. @param member `.title`, `.label.code`, `.tags[]` */
function memberText(kind: NodeKind, member: string, type: string): string {
  const path = member.replace(/^\./, '')
  switch (kind) {
    case 'item':
      return `An item of '${path.replace(/\[\]$/, '')}' of '${type}'`
    case 'joinField': {
      const [relation = '', ...field] = path.split('.')
      return `The field '${field.join('.')}' of the join rows of '${relation}' of '${type}'`
    }
    case 'variant': {
      const [, at = '', variant = ''] = /^(.*)<(.*)>$/.exec(path) ?? []
      return `The variant '${variant}' of '${at}' of '${type}'`
    }
    default:
      return `The ${kind} '${path}' of '${type}'`
  }
}
