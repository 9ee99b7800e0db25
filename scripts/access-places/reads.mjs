// @ts-check
/** The checks of reads: which rows are visible. */
import { place } from './place.mjs'

/** @type {readonly import('./place.mjs').Place[]} */
export const reads = [
  place(
    'build/compile/compile-policy.ts',
    'view, as a part of the scope',
    'if (policy === null || policy.isAlways(',
    'if (policy !== null || policy === null) return scope\n  if (policy === null || policy.isAlways(',
  ),
  place(
    'handler/fetch-resource.ts',
    'view, for one resource',
    'if (requireView(served, context)) await requireViewOf(served, id, request)',
  ),
  place('handler/fetch-resource.ts', 'viewAny, for lists', "requirePermission(served, 'viewAny', request.context)"),
  place(
    'handler/fetch-related.ts',
    'view of the owner, for related resources',
    'if (inheritsRead(relation.spec) && requireView(owner, operation.context)) {',
    'if (operation.id === null) {',
  ),
  place(
    'handler/fetch-relationship.ts',
    'view of the owner, for linkage',
    'if (inheritsRead(relation.spec) && requireView(owner, operation.context)) {',
    'if (operation.id === null) {',
  ),
  place('read/plan/read-plan.ts', 'visible rows of lists', '...scopeConditions(served, query.trash), ', ''),
  place('read/plan/relation-read.ts', 'visible members of relations', 'scopeConditions(served, trash)', '[]'),
  place(
    'read/query/read-conditions.ts',
    'visible rows on the paths of filters',
    'scopeConditionsOf: (served) => scopeConditions(served)',
    'scopeConditionsOf: () => []',
  ),
  place(
    'read/query/read-orders.ts',
    'visible rows on the paths of sorts',
    'flatMap((served) => scopeConditions(served))',
    'flatMap(() => [])',
  ),
  place(
    'read/query/scope-conditions.ts',
    'visible rows on the paths of rules',
    'const inner = ownScope(entered, context, outer)',
    'const inner = outer.length < 0 ? ownScope(entered, context, outer) : null',
  ),
  place(
    'read/rows/fetch-row.ts',
    'visible rows by their id',
    'const conditions = scopeConditions(served, trash)',
    'const conditions = scopeConditions(served, trash).slice(9)',
  ),
  place(
    'resource/reading/row-linkage.ts',
    'visible rows of linkage in the row',
    'type.scope === null && type.softDeletes === null',
    'type.softDeletes === null',
  ),
  place(
    'read/rows/require-view.ts',
    'the ability of FetchOne, for the row',
    "if (isHeld !== true) deny(served, 'view', request.context)",
  ),
  place(
    'read/query/permission.ts',
    'the ability of FetchCollection, decided by the caller',
    "if (ability !== 'viewAny' || typeof permission === 'boolean') return permission",
    'return permission',
  ),
  place(
    'resource/abilities.ts',
    'abilities of operations',
    'if (override === undefined || override === true) return usual',
    'if (override !== null) return usual',
  ),
  place(
    'resource/abilities.ts',
    'abilities that are true',
    'if (override === undefined || override === true) return usual\n  return override === false ? null : override',
    "if (override === undefined) return usual\n  return typeof override === 'boolean' ? null : override",
  ),
  place('build/compile/compile-policy.ts', 'before', 'decided ?? permissionOf(owner', 'permissionOf(owner'),
  place(
    'build/compile/compile-policy.ts',
    'before, of what is true otherwise',
    'before === undefined && rules.get(ability) === true',
    'rules.get(ability) === true',
  ),
  place(
    'resource/memoize-in-request.ts',
    'results of this request only',
    '(context.#results ??= [])',
    '(context.#results ??= (globalThis as never as { results?: Results }).results ??= [])',
  ),
  place(
    'resource/memoize-in-request.ts',
    'results that are not copied with the context',
    '#results in context ? context.#results : resultsElsewhere.get(context)',
    '#results in context ? ((context as never as { results?: Results }).results = context.#results ??= []) : ((context as never as { results?: Results }).results ?? resultsElsewhere.get(context))',
  ),
  place(
    'read/plan/row-flags.ts',
    'visible rows of linkage, by flags',
    '[served.type.type, scopeConditions(served)]',
    '[served.type.type, []]',
  ),
  place(
    'resource/reading/row-linkage.ts',
    'flags of linkage',
    '(isSet(row[flagPosition]) ? read(row) : null)',
    'read(row)',
  ),
  place(
    'render/relationships-writer.ts',
    'flags of linkage, in templates',
    "(isSet(row[flag]) ? write(row[position]) : 'null')",
    'write(row[position])',
  ),
  place(
    'data/sql/query/sql-conditions.ts',
    'conditions of flags, in SQL',
    'sqlConditions([condition], rows, build)',
    'sqlConditions([{ ...condition, conditionsOf: new Map() } as typeof condition], rows, build)',
  ),
  place(
    'read/query/scope-conditions.ts',
    'rules of granted()',
    '[conditionIn(served, permission, { context, outer: [...outer, label] }) ?? everyRow]',
    '[]',
  ),
  place(
    'read/query/scope-conditions.ts',
    'what granted() denies',
    'if (permission === false) return [noRow]',
    'if (permission === false) return []',
  ),
  place('read/query/read-conditions.ts', 'keys of hidden rows, in filters', 'isOfClient: true', 'isOfClient: false'),
  place(
    'read/query/read-orders.ts',
    'keys of hidden rows, in sorts',
    'const { reference } = target',
    'const reference = target.path.length < 0 ? target.reference : null',
  ),
  place(
    'hooks/after-fetch.ts',
    'visible resources that jobs redirect to',
    'return (await isHidden(location, request)) ? null : response',
    'return response',
  ),
  place(
    'build/server-service.ts',
    'private responses of types with a policy',
    'if (privateBecauseOf(type, types) !== null) return true',
  ),
  place(
    'build/server-service.ts',
    'private responses of servers that authenticate',
    'return type.cacheHeaders?.public !== true && type.servers.some((server) => services.authenticates(server))',
    'return false',
  ),
  place(
    'server/response-headers.ts',
    'Vary and private, by the caller',
    'if (ofServer.length + named.length === 0) return',
    'if (ofServer.length + named.length >= 0) return',
  ),
  place(
    'build/caller-headers.ts',
    'headers of callers of types with a policy',
    'return isRuled ? usualCallerHeaders : none',
    'return none',
  ),
  place(
    'read/query/column-target.ts',
    'columns of rules, by their type',
    'return { ...column, kind: null, asStored: storedTexts(column.name, served.type) }',
    'return column',
  ),
  place(
    'read/paging/page-of-rows.ts',
    'cursors of rows of other types',
    '`${types.map(({ type }) => type).join()} ${first}`',
    'first',
  ),
]
