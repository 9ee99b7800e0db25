import type { StatementId } from '../../format/statements/statements.js'
import type { RelationRead } from '../crawl/knowledge.js'
import { dataDocument, responded } from '../exchange/exchange.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Check } from './run.js'

/** Checks that a relationship is to-one or to-many, in all resources and at both of its addresses. */
export const relationForms: Check = {
  name: 'forms of relationships',
  statements: ['resource-linkage', 'logical-collection', 'fetch-primary-data-collection', 'primary-data'],
  async run({ knowledge, ledger }) {
    for (const type of knowledge.types.values()) {
      for (const { name, isToMany, samples } of type.relations.values()) {
        if (isToMany === null) continue
        const other = samples.find(({ data }) => data !== undefined && Array.isArray(data) !== isToMany)
        ledger.expect('resource-linkage', other === undefined, {
          problem: `The linkage of the relationship '${name}' of '${type.name}' is an array in some resources, and not in others.`,
          exchange: null,
        })
      }
    }
    for (const read of knowledge.relationReads.values()) compareAddresses(read, ledger)
  },
}

/** Checks that both addresses of a relationship have the same form. */
function compareAddresses({ relationship, linkage, related }: RelationRead, ledger: Ledger): void {
  const [identified, shown] = [linkage, related].map((exchange) => (exchange === null ? null : dataDocument(exchange)))
  // With linkage in the resource, both responses were compared with it.
  if (!identified || !shown || related === null || linkage === null || relationship.data !== undefined) return
  const isToMany = Array.isArray(identified['data'])
  const isSameForm = Array.isArray(shown['data']) === isToMany
  // If the linkage is no list, one of both is wrong, and it is unknown which one.
  const statements: readonly StatementId[] = isToMany
    ? ['logical-collection', 'fetch-primary-data-collection']
    : ['primary-data']
  for (const statement of statements) {
    ledger.expect(statement, isSameForm, {
      problem: `${responded(related)} with ${isToMany ? 'no array' : 'an array'}, but ${responded(linkage)} with ${isToMany ? 'an array' : 'none'}. Both are addresses of the relationship '${relationship.name}' of '${relationship.owner.type}'.`,
      pointer: '/data',
      exchange: related,
    })
  }
}
