import type { Exchange } from '../exchange/exchange.js'
import type { RelationshipObject, ResourceObject } from '../documents/document-links.js'

/** An address to visit, and the expected response. */
export type Target = TargetAddress &
  (
    | { readonly role: 'start' | 'entry' | 'guess' | 'described' }
    | { readonly role: 'document' | 'page'; readonly name: string }
    | { readonly role: 'resource'; readonly resource: ResourceObject }
    | RelationAddress
  )

/** One of both addresses of a relationship: the linkage, or the related resources. */
export type RelationTarget = TargetAddress & RelationAddress

interface RelationAddress {
  readonly role: 'relationship' | 'related'
  readonly relationship: RelationshipObject
}

interface TargetAddress {
  readonly url: string
  /** The response that has the link; `null` for addresses that the user has given. */
  readonly source: Exchange | null
}

/**
 * The addresses that are still to be visited. Addresses of the kinds that were visited least come first, so that a limited run
 * visits all types and relations.
 */
export interface Frontier {
  add(target: Target): void
  next(): Target | null
  readonly size: number
}

export function createFrontier(): Frontier {
  const kinds = new Map<string, { visits: number; readonly targets: Target[] }>()
  let size = 0
  return {
    add(target) {
      const key = kindOf(target)
      const kind = kinds.get(key) ?? { visits: 0, targets: [] }
      kinds.set(key, kind)
      kind.targets.push(target)
      size += 1
    },
    next() {
      let least: { visits: number; readonly targets: Target[] } | null = null
      for (const kind of kinds.values()) {
        if (kind.targets.length > 0 && (least === null || kind.visits < least.visits)) least = kind
      }
      const target = least?.targets.shift()
      if (least === null || target === undefined) return null
      least.visits += 1
      size -= 1
      return target
    },
    get size() {
      return size
    },
  }
}

function kindOf(target: Target): string {
  switch (target.role) {
    case 'start':
    case 'entry':
    case 'guess':
    case 'described':
      // Each of them is likely to show another type.
      return `${target.role} ${target.url}`
    case 'document':
    case 'page':
      return `${target.name} ${new URL(target.url).pathname}`
    case 'resource':
      return `resource ${target.resource.type}`
    case 'relationship':
    case 'related':
      return `${target.role} ${target.relationship.owner.type} ${target.relationship.name}`
  }
}
