import type { RowReference, WriteShortcuts } from '../../declare/resource/capabilities/persister.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../declare/resource/fields/constraint.js'
import { comparedNames } from '../../declare/resource/fields/constraint.js'
import { eventOfHook } from '../../declare/resource/events/type-listeners.js'
import type { ResourceHooks } from '../../declare/resource/events/hooks.js'
import { isComposite, keyColumns } from '../../declare/resource/parts/key-columns.js'
import { isGuarded } from '../../declare/resource/fields/field-guard.js'
import { hasOwnMutateAbility } from '../../declare/resource/relations/relation-security.js'
import { isIdOfMembers } from '../../declare/resource/compiled/cleared-columns.js'
import { referenceColumn } from '../../declare/resource/compiled/relation-link.js'
import { scopeConditions, scopeIn } from '../read/query/scope-conditions.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { mayHideMembers } from './document/writable-members.js'
import { looksAtModel } from '../../stores/row-query/condition-analysis.js'

/**
 * The strategies by which the writes of a type reach the store. Every condition is in this file.
 *
 * - A plain write is one statement that commits by itself, without a transaction: a third to a half of the CPU time on SQLite.
 * - A batch of creates is one statement for many rows. A batch that does nothing else needs no transaction either.
 * - Everything else is written in a transaction. So is a write that failed as one statement, to find the error.
 *
 * A reason is the text why a strategy is not used; `null` if it is. Other conditions depend on the request: an open
 * transaction, and the members of the document.
 */
export interface WriteStrategies {
  readonly create: StatementStrategy
  /** Creates that follow each other in a batch, within its transaction. */
  readonly createBatch: StatementStrategy
  /** A batch that only creates resources of the type. */
  readonly createOnlyBatch: StatementStrategy
  readonly update: StatementStrategy
  readonly delete: StatementStrategy
  /** Adding and removing members of a to-many relation, and replacing the member of a to-one relation, by the name of the relation. */
  readonly members: ReadonlyMap<string, StatementStrategy>
  /** The rows that key columns refer to, if the statement can check that they exist. */
  readonly references: ReadonlyMap<ServedRelation, RowReference>
  /** Those of them whose key is a column of the id, which no update may change. */
  readonly fixed: ReadonlySet<ServedRelation>
  /** The column of integers that a statement raises by one with each write; `null` if there is none. */
  readonly raises: string | null
  /** The attributes whose column an update can set without the stored row. */
  readonly updatable: ReadonlySet<CompiledAttribute>
  /** Whether a written row may hide members from the caller that it has sent. */
  readonly mayHideMembers: boolean
  /** Whether there are listeners after a create or an update. */
  readonly hasListenersAfter: Readonly<Record<'create' | 'update', boolean>>
}

export interface StatementStrategy {
  /** The reason why the write needs a transaction; `null` if one statement is enough. */
  readonly reason: string | null
}

/** Memoized for each type: without that, a create takes 25 % more CPU time (W5 on SQLite). */
export function writeStrategies(served: ServedType): WriteStrategies {
  const { changes } = served.listeners
  const known = strategiesOf.get(served)
  if (known?.changes === changes) return known.strategies
  const strategies = strategiesFor(served)
  strategiesOf.set(served, { changes, strategies })
  return strategies
}

/** The strategies of each type. They depend on its listeners, which an application may add and remove. */
const strategiesOf = new WeakMap<ServedType, { readonly changes: number; readonly strategies: WriteStrategies }>()

function strategiesFor(served: ServedType): WriteStrategies {
  const { relations, type } = served
  const references = new Map<ServedRelation, RowReference>()
  for (const relation of relations.values()) {
    const reference = referenceOf(served, relation)
    if (reference !== null) references.set(relation, reference)
  }
  const idColumns = keyColumns(type.id.column)
  const fixed = [...references]
    .filter(([, { column }]) => keyColumns(column).some((each) => idColumns.includes(each)))
    .map(([relation]) => relation)
  const compared = new Set(type.attributes.flatMap(({ spec }) => spec.constraints.flatMap(comparedNames)))
  return Object.freeze<WriteStrategies>({
    create: { reason: createReason(served) },
    createBatch: { reason: batchReason(served) },
    createOnlyBatch: { reason: createOnlyReason(served) },
    update: { reason: updateReason(served) },
    delete: { reason: deleteReason(served) },
    members: new Map(
      [...relations.values()]
        .filter(({ writeBy }) => writeBy !== 'none')
        .map((relation) => [relation.name, { reason: relationReason(served, relation, references) }]),
    ),
    references,
    fixed: new Set(fixed),
    raises: type.version?.kind === 'integer' ? type.version.column : null,
    mayHideMembers: mayHideMembers(served),
    hasListenersAfter: { create: served.listeners.hasAfter('create'), update: served.listeners.hasAfter('update') },
    updatable: new Set(
      type.attributes.filter(
        (attribute) => !idColumns.includes(attribute.column ?? '') && isUpdatable(attribute, compared),
      ),
    ),
  })
}

function createReason(served: ServedType): string | null {
  if (served.shortcuts.create?.autocommit === undefined) return noShortcut('create')
  if (isDeferred(served.type.responses.create)) return deferred
  return customRowReason(served, ['beforeSave', 'beforeCreate']) ?? writtenByFunction(served)
}

/** Returns why creates of a batch are not combined. An asynchronous validator could read rows of an earlier operation of the batch. */
function batchReason(served: ServedType): string | null {
  if (served.shortcuts.create?.many === undefined) return noShortcut('create', 'many')
  const attribute = served.type.attributes.find(({ spec }) => isCheckedAsynchronously(spec))
  if (attribute !== undefined) return `a validator of '${attribute.name}' may be asynchronous`
  if (isIdOfMembers(served.type)) return isComposite(served.type.id.column) ? compositeId : 'a relationship sets the id'
  return customRowReason(served, ['beforeSave', 'beforeCreate']) ?? writtenByFunction(served)
}

/** Returns why a batch of creates needs a transaction. Hooks after the write run after the commit, and the responses must be made before. */
function createOnlyReason(served: ServedType): string | null {
  if (served.shortcuts.create?.autocommitMany === undefined) return noShortcut('create', 'autocommitMany')
  if (isDeferred(served.type.responses.create)) return deferred
  return batchReason(served) ?? listenerReason(served, ['afterSave', 'afterCreate'])
}

function updateReason(served: ServedType): string | null {
  if (served.shortcuts.update?.autocommit === undefined) return noShortcut('update')
  if (isDeferred(served.type.responses.update)) return deferred
  return customRowReason(served, ['beforeSave', 'beforeUpdate']) ?? readReason(served) ?? versionReason(served)
}

function deleteReason(served: ServedType): string | null {
  const { type, shortcuts } = served
  const method = type.softDeletes === null ? 'delete' : 'update'
  if (shortcuts[method]?.autocommit === undefined) return noShortcut(method)
  // The hook gets the row as it was before it is marked as deleted.
  const hooks = type.softDeletes === null ? (['beforeDelete'] as const) : (['beforeDelete', 'afterDelete'] as const)
  const reason = listenerReason(served, hooks) ?? readReason(served)
  return reason ?? (type.softDeletes === null ? null : versionReason(served))
}

/** Returns the reason if the statement cannot compute the next version of a row. */
function versionReason({ type: { version }, shortcuts }: ServedType): string | null {
  if (version?.kind === 'instant') return 'the version is the time of the last write'
  if (version?.kind !== 'integer' || shortcuts.update?.raisesVersions === true) return null
  return 'shortcuts.update of the persister does not raise versions'
}

function relationReason(
  served: ServedType,
  relation: ServedRelation,
  references: WriteStrategies['references'],
): string | null {
  return relation.spec.traits.toMany ? membersReason(served, relation) : memberReason(served, relation, references)
}

/** Returns why the member of a to-one relation needs a transaction. */
function memberReason(
  served: ServedType,
  relation: ServedRelation,
  references: WriteStrategies['references'],
): string | null {
  if (served.shortcuts.update?.autocommit === undefined) return noShortcut('update')
  if (isDeferred(served.type.responses.update)) return deferred
  if (!references.has(relation)) return 'the statement cannot check the member by a key in the row'
  const reason = listenerReason(served, ['beforeRelationshipMutate'])
  return reason ?? readReason(served) ?? versionReason(served)
}

/** Returns why members need a transaction. Rules about their number need all members, and fields of join rows need the stored ones. */
function membersReason(served: ServedType, { spec, storage, writeBy, readBy, related }: ServedRelation): string | null {
  if (served.shortcuts.mutateRelationship?.autocommit === undefined) return noShortcut('mutateRelationship')
  if (writeBy !== 'owner' || readBy !== 'owner' || storage.kind !== 'join')
    return 'the members are not held by join rows'
  const [target, ...others] = related.values()
  if (target === undefined || others.length > 0) return 'the members may be of several types'
  if (spec.constraints.length > 0) return 'the relation has constraints'
  if (Object.keys(spec.pivot).length > 0) return 'the join rows have fields'
  if ([spec.cannotAdd, spec.cannotRemove].some((gate) => gate !== false))
    return 'cannotAdd() or cannotRemove() is declared'
  if (typeof spec.hidden === 'function') return 'a function decides whether the relation is hidden'
  if (isGuarded(spec) || hasOwnMutateAbility(spec)) return separateAbility
  if (referenceColumn(served.type) !== served.type.id.column) return 'relations refer to another column than the id'
  if (isComposite(served.type.id.column)) return compositeId
  if (served.type.version !== null) return 'the response has the version of the owner'
  const reason = listenerReason(served, ['beforeRelationshipMutate', 'afterRelationshipMutate'])
  return reason ?? readReason(served) ?? targetReason(served, target)
}

const separateAbility = 'the relation needs a separate ability'

const compositeId = 'the id has several columns'

const deferred = 'the work may be deferred with accepted()'

function noShortcut(method: keyof WriteShortcuts, name = 'autocommit'): string {
  return `the persister has no shortcuts.${method}.${name}`
}

function isDeferred(responses: readonly { readonly kind: string }[]): boolean {
  return responses.some(({ kind }) => kind === 'accepted')
}

/** Returns the reason if something other than the framework makes the values of the row. */
function customRowReason(served: ServedType, hooks: readonly (keyof ResourceHooks)[]): string | null {
  const { type, hydrator } = served
  if (hydrator !== null) return 'the type has a hydrator'
  const flattened = type.attributes.find(({ spec }) => spec.on !== null)
  if (flattened !== undefined) return `'${flattened.name}' is stored in a related row`
  return listenerReason(served, hooks)
}

/** @param names the hooks whose events have to fire inside the transaction, or need the row */
function listenerReason({ type, listeners }: ServedType, names: readonly (keyof ResourceHooks)[]): string | null {
  const name = names.find((each) => listeners.has(eventOfHook[each]))
  if (name === undefined) return null
  return type.hooks?.[name] === undefined ? `${eventOfHook[name]} has a listener` : `the type has the hook ${name}`
}

/** Returns the reason if a function writes an attribute or the id of a new row. */
function writtenByFunction({ type: { id, attributes } }: ServedType): string | null {
  if (id.spec.fallback.kind === 'function') return 'a function generates ids'
  const attribute = attributes.find(({ spec }) => hasWriteFunction(spec))
  return attribute === undefined ? null : `a function writes '${attribute.name}'`
}

function hasWriteFunction({ fill, deserialize, ...composite }: AttributeSpec): boolean {
  return fill !== null || deserialize !== null || someChild(composite, hasWriteFunction)
}

/** Returns the reason if a provider of the application decides which rows are visible: the statement decides like the store. */
function readReason({ serializer, readsInTransaction, isReadByStore }: ServedType): string | null {
  if (!readsInTransaction || !isReadByStore) return 'the rows are not read by the store that writes them'
  return serializer === null ? null : 'the type has a serializer'
}

/** Returns the reason for rows that the written row refers to: they must be in the same store. */
function targetReason({ transactions }: ServedType, target: ServedType): string | null {
  const { type, provider } = target
  const reason = readReason(target)
  if (reason !== null) return `of '${type.type}', ${reason}`
  if (target.transactions !== transactions || provider?.fetchCollection === undefined) {
    return `'${type.type}' is in another store`
  }
  if (referenceColumn(type) !== type.id.column) return `relations refer to another column of '${type.type}' than the id`
  return isComposite(type.id.column) ? `the id of '${type.type}' has several columns` : null
}

/** Returns `null` if more than the row itself decides whether it exists for the caller. */
function referenceOf(served: ServedType, { spec, storage, writeBy, related }: ServedRelation): RowReference | null {
  if (isGuarded(spec) || hasOwnMutateAbility(spec)) return null
  const [target, ...others] = related.values()
  if (writeBy !== 'row' || storage.kind !== 'ownKey' || storage.key.type !== null) return null
  if (target === undefined || others.length > 0 || targetReason(served, target) !== null) return null
  return { column: storage.key.id, type: target.type, conditions: scopeConditions(target) }
}

/**
 * Whether an update can set the column of an attribute without the stored row. Not if the sent value is merged with the stored
 * one, functions convert it, a rule compares it with another attribute, or its wire form may have lost digits: a client that
 * sends such a value back must not overwrite the stored one.
 */
function isUpdatable({ name, spec, column }: CompiledAttribute, compared: ReadonlySet<string>): boolean {
  const { kind, fill, deserialize, serialize, extract, constraints } = spec
  const isConverted = fill !== null || deserialize !== null || serialize !== null || extract !== null
  // A function or an ability that hides the attribute in some rows decides by the stored row.
  if (typeof spec.hidden === 'function' || spec.guard !== null) return false
  if (column === null || isConverted || kind.children !== 'none' || kind.comparedAs === 'json') return false
  return !compared.has(name) && constraints.every((rule) => comparedNames(rule).length === 0)
}

/**
 * Whether members of a relation with a key in the row can be found for many new rows together. Not if a new row may change which
 * members the caller can see.
 */
export function isFoundInBatch(
  { spec, writeBy, related }: ServedRelation,
  owner: ServedType,
  context: RequestContext,
): boolean {
  if (writeBy !== 'row' || mayBeAsynchronous(spec.constraints) || hasOwnMutateAbility(spec)) return false
  return [...related.values()].every((target) => {
    if (target.type.objectType !== null || readReason(target) !== null) return false
    const scope = scopeIn(target, context)
    return scope === null || !looksAtModel(scope, owner)
  })
}

function isCheckedAsynchronously({ constraints, ...composite }: AttributeSpec): boolean {
  return mayBeAsynchronous(constraints) || someChild(composite, isCheckedAsynchronously)
}

function someChild(
  { children, variants }: Pick<AttributeSpec, 'children' | 'variants'>,
  holds: (child: AttributeSpec) => boolean,
): boolean {
  return [children, ...Object.values(variants)].some((specs) => Object.values(specs).some(holds))
}

/** Validators of the Standard Schema may be asynchronous; other rules are not. */
function mayBeAsynchronous(constraints: readonly Constraint[]): boolean {
  return constraints.some((constraint) => {
    switch (constraint.kind) {
      case 'standard':
        return true
      case 'each':
      case 'sequentially':
      case 'when':
        return mayBeAsynchronous(constraint.constraints)
      case 'atLeastOneOf':
        return mayBeAsynchronous(constraint.alternatives)
      default:
        return false
    }
  })
}
