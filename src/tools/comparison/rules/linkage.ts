import type { Finding } from '../compare/change.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { listDifference } from '../compare/contract-rule.js'
import { relationOf } from '../compare/relation-of.js'
import type { Contract } from '../model/contract.js'

/** Compares the values of `withLinkage`, in all operations. New and removed relations are not listed. */
export const linkage: ContractRule = ({ before, after }) => {
  const { added, removed } = listDifference(linkageIn(before), linkageIn(after))
  return [
    ...removed
      .filter((name) => isIn(after, name))
      .map((name) => ({
        ...finding('linkage-removed', name, 'can no longer'),
        deprecation: relationOf(before, ...namesIn(name))?.deprecation ?? null,
      })),
    ...added.filter((name) => isIn(before, name)).map((name) => finding('linkage-added', name, 'can')),
  ]
}

function linkageIn({ operations }: Contract): readonly string[] {
  // Operations may share one list.
  return [...new Set([...operations.values()].map(({ query }) => query.linkage))].flat()
}

function finding(code: Finding['code'], name: string, clause: string): Finding {
  const [type, relation] = namesIn(name)
  return {
    code,
    type,
    member: `?withLinkage=${relation}`,
    operations: [],
    sentence: `The linkage of '${relation}' of '${type}' ${clause} be requested by withLinkage.`,
  }
}

function isIn(contract: Contract, name: string): boolean {
  return relationOf(contract, ...namesIn(name)) !== null
}

/** @param name `albums.tracks` */
function namesIn(name: string): readonly [type: string, relation: string] {
  const [type = '', relation = ''] = name.split('.')
  return [type, relation]
}
