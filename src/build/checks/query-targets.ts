import type { CompiledRelation } from '../../resource/compiled-type.js'
import type { ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import type { ValueKind } from '../../resource/fields/value-kind.js'
import { refuseUnasked } from './asked-relations.js'
import type { BuildWorld, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { knownColumns, queryTarget } from './known-columns.js'
import { walkPath } from './relation-paths.js'
import { oneOf, shown } from '../declared/shown.js'

export type Finding = Omit<TypeFault, 'member'>

/** What a query aims at. */
interface Aim {
  readonly over: DeclaredType | null
  readonly world: BuildWorld
  readonly pivot: ChildSpecs | null
  readonly refuseKind: RefuseKind
}

/** Says what keeps values of a kind from being asked, `null` for nothing. */
type RefuseKind = (kind: ValueKind) => Finding | null

const pivotPrefix = 'pivot.'

/** What is wrong with the attribute or column that a query names. */
export function targetFindings(name: unknown, { over, pivot, world, refuseKind }: Aim): readonly Finding[] {
  if (typeof name !== 'string' || name === '') {
    return [{ problem: `aims at ${shown(name)}`, remedy: 'name an attribute or a column' }]
  }
  if (name.startsWith(pivotPrefix)) return pivotFindings(name.slice(pivotPrefix.length), pivot, refuseKind)
  if (over === null) return []
  switch (queryTarget(over.type, name)) {
    case 'found':
      return [...chainFindings(over, name, world), ...kindFindings(over.type, name, refuseKind)]
    case 'unknown':
      return []
    case 'absent':
      return [
        {
          problem: `aims at ${shown(name)}, which is no attribute of '${over.type.type}' and no column of its model`,
          remedy: `name ${oneOf(targetNames(over.type))}`,
        },
      ]
    case 'underived':
      return [
        {
          problem: `aims at the attribute ${shown(name)}, which has no column of its own`,
          remedy: 'aim at a column, or declare it with custom()',
        },
      ]
  }
}

/** An attribute says what its column holds; of other columns nobody knows. */
function kindFindings(type: DeclaredType['type'], name: string, refuseKind: RefuseKind): readonly Finding[] {
  const attribute = type.attributeNamed.get(name) ?? type.attributes.find(({ column }) => column === name)
  const isStored = attribute !== undefined && (attribute.column !== null || attribute.spec.on !== null)
  return isStored ? listed(refuseKind(attribute.spec.kind)) : []
}

/** A flattened attribute is asked at the end of its chain, which the store has to hold. */
function chainFindings(over: DeclaredType, name: string, world: BuildWorld): readonly Finding[] {
  const chain = over.type.attributeNamed.get(name)?.spec.on ?? []
  const refused: string[] = []
  const refuse: PathAim['refuse'] = (relation, owner) => {
    const problem = refuseUnasked(relation, owner, world)
    if (problem !== null) refused.push(problem)
    return problem
  }
  // A chain that leads nowhere is told by another rule.
  walkPath(over, chain, { world, refuse })
  return refused.map((why) => ({
    problem: `aims at the flattened attribute ${shown(name)}, whose chain cannot be asked: ${why}`,
    remedy: 'take it away, or declare it with custom()',
  }))
}

function listed(finding: Finding | null): readonly Finding[] {
  return finding === null ? [] : [finding]
}

function targetNames(type: DeclaredType['type']): readonly string[] {
  const names = [...type.attributeNamed.keys(), ...(knownColumns(type) ?? [])]
  return names.filter((name) => queryTarget(type, name) === 'found')
}

function pivotFindings(field: string, pivot: ChildSpecs | null, refuseKind: RefuseKind): readonly Finding[] {
  if (pivot === null || Object.keys(pivot).length === 0) {
    return [
      {
        problem: `aims at 'pivot.${field}' where there are no join rows with fields`,
        remedy: 'declare it with withFilters() or withSorts() of a belongsToMany() that has fields()',
      },
    ]
  }
  const own = Object.hasOwn(pivot, field) ? pivot[field] : undefined
  const found = own ?? Object.values(pivot).find(({ storedAs }) => storedAs === field)
  if (found !== undefined) return listed(refuseKind(found.kind))
  return [
    {
      problem: `aims at 'pivot.${field}', which is no field of the join rows`,
      remedy: `name ${oneOf(Object.keys(pivot).map((name) => `pivot.${name}`))}`,
    },
  ]
}

interface PathAim {
  readonly over: DeclaredType | null
  readonly world: BuildWorld
  readonly refuse: (relation: CompiledRelation, owner: DeclaredType) => string | null
  readonly refuseKind: RefuseKind
}

/** What is wrong with a path of relations that ends in an attribute. */
export function pathFindings(path: unknown, { over, world, refuse, refuseKind }: PathAim): readonly Finding[] {
  const segments = typeof path === 'string' ? path.split('.') : []
  const attribute = segments.at(-1)
  if (attribute === undefined || segments.length < 2) {
    const remedy = "name a relation and an attribute: through('artist.name')"
    return [{ problem: `${shown(path)} is no path through relations`, remedy }]
  }
  if (over === null) return []
  const end = walkPath(over, segments.slice(0, -1), { world, refuse })
  if (end.kind === 'broken') {
    const remedy = 'name declared relations, each of the type before it, and an attribute at the end'
    return [{ problem: `the path ${shown(path)} leads nowhere: ${end.problem}`, remedy }]
  }
  return end.types.flatMap((declared) => {
    const { type } = declared
    if (queryTarget(type, attribute) === 'found') {
      return [...chainFindings(declared, attribute, world), ...kindFindings(type, attribute, refuseKind)]
    }
    return {
      problem: `the path ${shown(path)} ends in ${shown(attribute)}, which is no stored attribute of '${type.type}'`,
      remedy: `end it in ${oneOf([...type.attributeNamed.keys(), 'id'])}`,
    }
  })
}
