import type { VersionMatch } from '../negotiate/preconditions.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import type { ReadContext } from '../read/read-context.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import { withScopes } from '../read/rows/fill-scopes.js'
import type { AutocommitWrite, ColumnValues } from '../resource/capabilities/persister.js'
import type { RowFlag } from '../resource/capabilities/provider.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../resource/compiled-type.js'
import { linkageIsInRow } from '../resource/reading/row-linkage.js'
import type { RequestContext } from '../resource/request-context.js'
import type { ShortcutCall } from './by-statement.js'
import { rowConditions } from './by-statement.js'
import { setsKeyColumn } from './columns/fixed-key.js'
import type { LinkageChange } from './linkage/linkage-change.js'
import { looksAtModel } from './persist/check-scope.js'
import { staysPermitted } from './persist/permitted-writes.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import type { StatementReferences } from './statement-references.js'
import { areMembersFound, noReferences, statementReferences } from './statement-references.js'
import { raisedColumn } from './persist/check-version.js'

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
  if (!changes.every(isWritableWithoutRow)) return null
  const found = statementReferences(served, changes, { acceptsScopes, context })
  return found === null || !areMembersFound(changes, found.memberOf) ? null : found
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
  if (key === null || Object.keys(values).length === 0 || setsKeyColumn(served.type, values)) return null
  const conditions = rowConditions(served, { ability: 'update', ifMatch }, call, context)
  if (conditions === null || !staysPermitted(served, values, context)) return null
  const clientColumns: AutocommitWrite['clientColumns'][number][] = []
  for (const { column, spec } of attributes) if (column !== null) clientColumns.push({ column, kind: spec.kind })
  const flags = returnableFlags(update, call)
  const { transaction } = call
  const write = { context, transaction, references, conditions, clientColumns, flags, raises: raisedColumn(served) }
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
  if (plan === null || served.listeners.hasAfter('update')) return none
  const returnable = plan.flags(served).filter(({ condition }) => !looksAtModel(condition, served, context))
  return acceptsScopes ? returnable : withScopes({ conditions: [], flags: returnable, context }).flags
}

const none: readonly RowFlag[] = Object.freeze([])
