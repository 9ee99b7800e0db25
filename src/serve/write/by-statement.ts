import { HttpError } from '../../core/errors/http-error.js'
import { JsonApiError } from '../../core/errors/json-api-error.js'
import type { VersionMatch } from '../negotiate/preconditions.js'
import type { OpenTransactions, ReadContext } from '../read/read-context.js'
import { writeTransaction } from '../read/read-context.js'
import { scopeConditions, scopeIn } from '../read/query/scope-conditions.js'
import { withScopes } from '../read/rows/fill-scopes.js'
import type {
  ShortcutCapabilities,
  AutocommitWrite,
  ColumnValues,
  RowReference,
} from '../../declare/resource/capabilities/persister.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import { isStoreConflict } from '../../declare/resource/capabilities/store-conflict.js'
import type { Transaction } from '../../declare/resource/request/transactions.js'
import type { RowCondition } from '../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { permittedConditions, staysPermitted } from './persist/permitted-writes.js'
import { versionConditions, anyVersion } from './persist/check-version.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import type { RowFlag } from '../../declare/resource/capabilities/provider.js'
import type { CompiledAttribute } from '../../declare/resource/compiled/compiled-type.js'
import { linkageIsInRow } from '../../declare/resource/reading/row-linkage.js'
import type { SentIdentifier } from './document/sent-linkage.js'
import type { LinkageChange, Member, MemberOf } from './linkage/linkage-change.js'
import { looksAtModel } from '../../stores/row-query/condition-analysis.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import type { WriteStrategies } from './write-strategy.js'
import { writeStrategies } from './write-strategy.js'

/*
 * What the writes by one statement share. Each returns `null` if the write needs several steps, if anything is wrong with it, and if
 * the statement did nothing. Nothing is stored in that case. A create in steps takes 2.4 times the CPU time (W5 on SQLite).
 */

/** How a shortcut of a persister is called in a request. */
export interface ShortcutCall {
  /** The transaction that the statement is a part of; `null` to commit by itself. */
  readonly transaction: Transaction | null
  readonly acceptsScopes: boolean
}

/** Returns how a shortcut is called; `null` if the strategy of the write, or the open transaction, does not permit it. */
export function shortcutCall(
  served: ServedType,
  reason: string | null,
  { acceptsScopes = false, joinsTransactions = false }: ShortcutCapabilities = none,
  open: OpenTransactions | null,
): ShortcutCall | null {
  if (reason !== null) return null
  if (open === null) return { transaction: null, acceptsScopes }
  // In a transaction of another store, or after its end, the steps decide when the row is committed.
  const transaction = joinsTransactions && open.isOpen ? writeTransaction(served, open) : null
  return transaction === null ? null : { transaction, acceptsScopes }
}

const none: ShortcutCapabilities = Object.freeze({})

/**
 * Returns the conditions under which a statement writes a row that exists: it is visible, the policy permits the write, and it has one of
 * the versions that the request names. Returns `null` if more than these decide.
 */
export function rowConditions(
  served: ServedType,
  { ability, ifMatch }: { readonly ability: string; readonly ifMatch: VersionMatch | null },
  { acceptsScopes }: ShortcutCall,
  context: RequestContext,
): readonly RowCondition[] | null {
  const permitted = permittedConditions(served, ability, context)
  const versions = ifMatch === null ? anyVersion : versionConditions(served, ifMatch)
  if (permitted === null || versions === null) return null
  const visible = scopeConditions(served)
  const conditions = permitted.length === 0 ? visible : [...visible, ...permitted]
  return [...conditionsFor(acceptsScopes, conditions, context), ...versions]
}

/** Returns the conditions for a shortcut of a persister: with conditions of the request instead of scopes, unless it accepts scopes. */
export function conditionsFor(
  acceptsScopes: boolean,
  conditions: readonly RowCondition[],
  context: RequestContext,
): readonly RowCondition[] {
  return acceptsScopes ? conditions : withScopes({ conditions, context }).conditions
}

/**
 * Returns `null` for an error for the client: the steps, or the operation by itself, report it. Other errors, such as a lost
 * connection, end the write.
 */
export function leaveToSteps(thrown: unknown): null {
  if (JsonApiError.is(thrown) || HttpError.is(thrown) || isStoreConflict(thrown)) return null
  throw thrown
}

/** The rows that written rows refer to: the statement itself checks that they exist and are visible. */
export interface StatementReferences {
  /** Finds members without a read: by their ids. */
  readonly memberOf: MemberOf
  readonly references: readonly RowReference[]
}

const noReferences: StatementReferences = Object.freeze({ memberOf: () => undefined, references: [] })

interface ReferenceOptions {
  /** Whether the function that gets the references accepts scopes. */
  readonly acceptsScopes: boolean
  /** The references that the strategies of the type allow. */
  readonly known: WriteStrategies['references']
  readonly context: RequestContext
}

/**
 * Returns the references of rows of a type; `null` if a relation is not stored as a key that a statement can check, or if an identifier is that
 * of no resource.
 */
export function statementReferences(
  served: ServedType,
  changes: readonly LinkageChange[],
  { acceptsScopes, known, context }: ReferenceOptions,
): StatementReferences | null {
  if (changes.length === 0) return noReferences
  const sent = new Map<ServedRelation, RowReference>()
  const members = new Map<SentIdentifier, Member>()
  for (const { relation, added } of changes) {
    let reference = sent.get(relation)
    if (reference === undefined) {
      reference = known.get(relation)
      if (reference === undefined) return null
      for (const target of relation.related.values()) {
        const scope = scopeIn(target, context)
        if (scope !== null && looksAtModel(scope, served, context)) return null
      }
      if (added.length === 0) continue
      const { conditions } = acceptsScopes ? reference : withScopes({ conditions: reference.conditions, context })
      if (conditions !== reference.conditions) reference = { ...reference, conditions }
      sent.set(relation, reference)
    }
    for (const identifier of added) {
      const { type, id } = identifier
      // The steps report a resource of another type.
      const key = type === reference.type.type ? reference.type.id.decode(id) : null
      if (key === null) return null
      members.set(identifier, { type, id, key, idKey: key })
    }
  }
  return { references: [...sent.values()], memberOf: (identifier) => members.get(identifier) }
}

/** An update of a row that is not read before. */
export interface UnreadUpdate {
  readonly served: ServedType
  readonly id: string
  readonly ifMatch: VersionMatch | null
  /** The attributes that are set. */
  readonly attributes: readonly CompiledAttribute[]
  readonly references: StatementReferences['references']
  readonly values: ColumnValues
  /** The plan of the document in the response; `null` if it shows only what the columns of the row hold. */
  readonly plan: DocumentPlan | null
  readonly request: ReadContext
}

/** Finds the members of relations that an update sets without the stored row; `null` if that is not possible, or if one is missing. */
export function unreadMembers(
  served: ServedType,
  changes: readonly LinkageChange[],
  { acceptsScopes }: ShortcutCall,
  context: RequestContext,
): StatementReferences | null {
  if (changes.length === 0) return noReferences
  const { fixed, references: known } = writeStrategies(served)
  if (!changes.every((change) => isWritableWithoutRow(change) && !fixed.has(change.relation))) return null
  return statementReferences(served, changes, { acceptsScopes, known, context })
}

/**
 * Whether neither a gate of the relation nor a rule about its member needs the stored row. Null clears a relation only if
 * clients read the key in the row: a client that reads null because it cannot see the member must not clear the relation.
 */
function isWritableWithoutRow({ relation, added }: LinkageChange): boolean {
  const { spec, readBy } = relation
  if (spec.cannotReplace !== false || spec.cannotRemove !== false || readBy !== 'owner') return false
  if (typeof spec.hidden === 'function') return false
  return added.length > 0 || (spec.constraints.length === 0 && linkageIsInRow(relation))
}

/** Sets columns of a row by one statement, if the caller may update it, before and after. */
export async function updateUnread(update: UnreadUpdate, call: ShortcutCall): Promise<WriteOutcome | null> {
  const { served, id, ifMatch, attributes, references, values, request } = update
  const { context } = request
  const key = served.type.id.decode(id)
  if (key === null || Object.keys(values).length === 0) return null
  const conditions = rowConditions(served, { ability: 'update', ifMatch }, call, context)
  if (conditions === null || !staysPermitted(served, values, context)) return null
  const clientColumns: AutocommitWrite['clientColumns'][number][] = []
  for (const { column, spec } of attributes) if (column !== null) clientColumns.push({ column, kind: spec.kind })
  const flags = returnableFlags(update, call)
  const { transaction } = call
  const write = {
    context,
    transaction,
    references,
    conditions,
    clientColumns,
    flags,
    raises: writeStrategies(served).raises,
  }
  const row = (await served.shortcuts.update?.autocommit?.(served.type, key, values, write)) ?? null
  return row === null ? null : { kind: 'row', rows: checkedRows(served, row) }
}

/**
 * Returns the flags that the statement can return. PostgreSQL evaluates their conditions before the update, so they must not
 * depend on rows of the same model.
 */
function returnableFlags(
  { served, plan, request: { context } }: UnreadUpdate,
  { acceptsScopes }: ShortcutCall,
): readonly RowFlag[] {
  // User-defined functions get the row with its columns, and no flags.
  if (plan === null || writeStrategies(served).hasListenersAfter.update) return noFlags
  const returnable = plan.flags(served).filter(({ condition }) => !looksAtModel(condition, served, context))
  return acceptsScopes ? returnable : withScopes({ conditions: [], flags: returnable, context }).flags
}

const noFlags: readonly RowFlag[] = Object.freeze([])
