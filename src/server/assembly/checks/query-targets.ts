import type { CompiledRelation } from '../../../declare/resource/compiled/compiled-type.js'
import type { ChildSpecs } from '../../../declare/resource/fields/attribute-declaration.js'
import type { ValueKind } from '../../../declare/resource/fields/value-kind.js'
import { refuseUnqueryable } from './refuse-unqueryable.js'
import type { BuildContext, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { knownColumns, queryTarget } from './known-columns.js'
import { mayHideRows } from '../../../serve/read/query/column-target.js'
import { relationKeyColumns } from '../../../declare/resource/compiled/relation-link.js'
import { ownerSideKey } from '../../../declare/resource/compiled/resolve-storage.js'
import { targetsOf, walkPath } from './relation-paths.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

export type Finding = Omit<TypeFault, 'member'>

/** The type that a query applies to, and the checks of the values. */
interface TargetOptions {
  readonly over: DeclaredType | null
  readonly context: BuildContext
  readonly pivot: ChildSpecs | null
  readonly refuseKind: RefuseKind
}

/** Returns why a query cannot use values of a kind, or `null` if it can. */
type RefuseKind = (kind: ValueKind) => Finding | null

const pivotPrefix = 'pivot.'

/** Returns the faults of the attribute or column that a query names. */
export function targetFindings(name: unknown, { over, pivot, context, refuseKind }: TargetOptions): readonly Finding[] {
  if (typeof name !== 'string' || name === '') {
    return [{ problem: `refers to ${describeValue(name)}`, remedy: 'name an attribute or a column' }]
  }
  if (name.startsWith(pivotPrefix)) return pivotFindings(name.slice(pivotPrefix.length), pivot, refuseKind)
  if (over === null) return []
  switch (queryTarget(over.type, name)) {
    case 'found':
      return [
        ...chainFindings(over, name, context),
        ...referenceFindings(over, name, context),
        ...kindFindings(over.type, name, refuseKind),
      ]
    case 'unknown':
      return referenceFindings(over, name, context)
    case 'absent':
      return [
        {
          problem: `refers to ${describeValue(name)}, which is neither an attribute of '${over.type.type}' nor a column of its model`,
          remedy: `name ${oneOf(targetNames(over.type))}`,
        },
      ]
    case 'withoutColumn':
      return [
        {
          problem: `refers to the attribute ${describeValue(name)}, which has no column of its own`,
          remedy: 'name a column, or declare it with custom()',
        },
      ]
  }
}

/** The kind of the values is known only for a column that has an attribute. */
function kindFindings(type: DeclaredType['type'], name: string, refuseKind: RefuseKind): readonly Finding[] {
  const attribute = type.attributeNamed.get(name) ?? type.attributes.find(({ column }) => column === name)
  const isStored = attribute !== undefined && (attribute.column !== null || attribute.spec.on !== null)
  return isStored ? findingList(refuseKind(attribute.spec.kind)) : []
}

/** A query on a flattened attribute uses the row at the end of its chain, so the store must hold the whole chain. */
function chainFindings(over: DeclaredType, name: string, context: BuildContext): readonly Finding[] {
  const chain = over.type.attributeNamed.get(name)?.spec.on ?? []
  const refused: string[] = []
  const refuse: PathOptions['refuse'] = (relation, owner) => {
    const problem = refuseUnqueryable(relation, owner, context)
    if (problem !== null) refused.push(problem)
    return problem
  }
  // An invalid chain is reported by the rule flattenedChains.
  walkPath(over, chain, { context, refuse })
  return refused.map((reason) => ({
    problem: `refers to the flattened attribute ${describeValue(name)}, whose chain cannot be queried: ${reason}`,
    remedy: 'remove it, or declare it with custom()',
  }))
}

/**
 * The key of a hidden row is null for clients. So the store must be able to find out which rows are hidden, if no attribute
 * shows the column.
 */
function referenceFindings(over: DeclaredType, name: string, context: BuildContext): readonly Finding[] {
  const { type } = over
  if (type.attributeNamed.has(name) || type.attributes.some(({ column }) => column === name)) return []
  return type.relations.flatMap((relation) => {
    const key = ownerSideKey(relation, type)
    if (key === null || !relationKeyColumns(key).includes(name)) return []
    const hiding = targetsOf(context, over, relation).filter((target) => mayHideRows(target.type))
    const reason = hiding.length === 0 ? null : refuseUnqueryable(relation, over, context)
    if (reason === null) return []
    const types = hiding.map((target) => describeValue(target.type.type)).join(', ')
    return [
      {
        problem: `refers to ${describeValue(name)}, the key of rows of ${types} that may be hidden from clients: ${reason}`,
        remedy: 'remove it, or declare an attribute that shows the column',
      },
    ]
  })
}

function findingList(finding: Finding | null): readonly Finding[] {
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
        problem: `refers to 'pivot.${field}', but there are no join rows with fields`,
        remedy: 'declare it with withFilters() or withSorts() of a belongsToMany() that has fields()',
      },
    ]
  }
  const named = Object.hasOwn(pivot, field) ? pivot[field] : undefined
  const found = named ?? Object.values(pivot).find(({ storedAs }) => storedAs === field)
  if (found !== undefined) return findingList(refuseKind(found.kind))
  return [
    {
      problem: `refers to 'pivot.${field}', which is not a field of the join rows`,
      remedy: `name ${oneOf(Object.keys(pivot).map((name) => `pivot.${name}`))}`,
    },
  ]
}

interface PathOptions {
  readonly over: DeclaredType | null
  readonly context: BuildContext
  readonly refuse: (relation: CompiledRelation, owner: DeclaredType) => string | null
  readonly refuseKind: RefuseKind
}

/** Returns the faults of a path of relations that ends in an attribute. */
export function pathFindings(path: unknown, { over, context, refuse, refuseKind }: PathOptions): readonly Finding[] {
  const segments = typeof path === 'string' ? path.split('.') : []
  const attribute = segments.at(-1)
  if (attribute === undefined || segments.length < 2) {
    const remedy = "name a relation and an attribute: through('artist.name')"
    return [{ problem: `${describeValue(path)} is not a path through relations`, remedy }]
  }
  if (over === null) return []
  const end = walkPath(over, segments.slice(0, -1), { context, refuse })
  if (end.kind === 'broken') {
    const remedy = 'name declared relations, each of them on the type before it, and an attribute at the end'
    return [{ problem: `the path ${describeValue(path)} is not valid: ${end.problem}`, remedy }]
  }
  return end.types.flatMap((declared) => {
    const { type } = declared
    if (queryTarget(type, attribute) === 'found') {
      return [
        ...chainFindings(declared, attribute, context),
        ...referenceFindings(declared, attribute, context),
        ...kindFindings(type, attribute, refuseKind),
      ]
    }
    return {
      problem: `the path ${describeValue(path)} ends in ${describeValue(attribute)}, which is not a stored attribute of '${type.type}'`,
      remedy: `end it in ${oneOf([...type.attributeNamed.keys(), 'id'])}`,
    }
  })
}
