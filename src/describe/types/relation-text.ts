import type { ServedRelation } from '../../declare/resource/capabilities/served-type.js'
import type { RelationUse } from '../contract/relation-uses.js'
import { relationUses } from '../contract/relation-uses.js'
import { attributesType } from './attribute-text.js'
import { filtersType } from './filter-text.js'
import { pageType } from './page-text.js'
import { objectType, quoted, textsType } from './type-text.js'

/** Returns the contract of one relation. The rules are those of `RelationContract`, so that both sources of a contract agree. */
export function relationType(relation: ServedRelation): string {
  const { spec, uriName } = relation
  const hasPivot = Object.keys(spec.pivot).length > 0
  // The related type is not known where the contract is inferred.
  const fields = { attribute: () => undefined, pivot: spec.pivot, isFilterable: () => false }
  return objectType([
    { name: 'type', type: textsType(spec.targets) },
    { name: 'many', type: String(spec.traits.toMany) },
    { name: 'path', type: quoted(uriName) },
    { name: 'is', type: textsType(declaredUses(relation)) },
    { name: 'pivot', type: hasPivot ? pivotType(relation) : 'null' },
    { name: 'filters', type: filtersType(spec.filters, fields) },
    { name: 'sorts', type: textsType([...Object.keys(spec.sorts), ...pivotSorts(relation)]) },
    { name: 'page', type: spec.pagination === undefined ? quoted('inherited') : pageType(spec.pagination) },
  ])
}

/** The types of a declaration do not require a relation that some caller cannot read or write. */
function declaredUses(relation: ServedRelation): readonly RelationUse[] {
  const { security, writeOnly } = relation.spec
  const isLimited = security !== null || typeof writeOnly === 'function'
  return [...relationUses(asDeclared(relation))].filter((use) => use !== 'required' || !isLimited)
}

/** Returns a relation without what only the built service knows: which types and stores the server has. */
function asDeclared(relation: ServedRelation): ServedRelation {
  const { relatedEndpoint, relationshipEndpoint } = relation.spec
  return {
    ...relation,
    complete: true,
    readBy: 'owner',
    hasRelatedEndpoint: relatedEndpoint,
    hasRelationshipEndpoint: relationshipEndpoint,
  }
}

function pivotType({ spec: { pivot } }: ServedRelation): string {
  return objectType([
    { name: 'attributes', type: attributesType(pivot, 'read') },
    { name: 'create', type: attributesType(pivot, 'create') },
    { name: 'update', type: attributesType(pivot, 'update') },
  ])
}

/** Returns the fields of join rows that a column holds. */
function pivotSorts({ spec: { pivot } }: ServedRelation): readonly string[] {
  return Object.keys(pivot).filter((name) => pivot[name]?.computed === false && pivot[name].kind.children !== 'columns')
}
