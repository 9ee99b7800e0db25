// @ts-check
/** The checks of reads: which rows are visible. */
import { place } from './place.mjs'

/** @type {readonly import('./place.mjs').Place[]} */
export const reads = [
  place(
    'server/assembly/compile/compile-policy.ts',
    'view, as a part of the scope',
    'if (policy === null || policy.isAlways(',
    'if (policy !== null || policy === null) return scope\n  if (policy === null || policy.isAlways(',
  ),
  place(
    'serve/handler/fetch-resource.ts',
    'view, for one resource',
    'if (requireView(served, context)) await requireViewOf(served, id, request)',
  ),
  place(
    'serve/handler/fetch-resource.ts',
    'viewAny, for lists',
    "requirePermission(served, 'viewAny', request.context)",
  ),
  place(
    'serve/handler/fetch-related.ts',
    'view of the owner, for related resources',
    'if (inheritsRead(relation.spec) && requireView(owner, operation.context)) {',
    'if (operation.id === null) {',
  ),
  place(
    'serve/handler/fetch-relationship.ts',
    'view of the owner, for linkage',
    'if (inheritsRead(relation.spec) && requireView(owner, operation.context)) {',
    'if (operation.id === null) {',
  ),
  place(
    'serve/read/plan/read-plan.ts',
    'visible rows of lists',
    '...scopeConditions(vocabulary.served, query.trash), ',
    '',
  ),
  place('serve/read/plan/relation-read.ts', 'visible members of relations', 'scopeConditions(served, trash)', '[]'),
  place(
    'serve/read/query/read-conditions.ts',
    'visible rows on the paths of filters',
    'scopeConditionsOf: (served) => scopeConditions(served)',
    'scopeConditionsOf: () => []',
  ),
  place(
    'serve/read/query/read-orders.ts',
    'visible rows on the paths of sorts',
    'flatMap((served) => scopeConditions(served))',
    'flatMap(() => [])',
  ),
  place(
    'serve/read/query/scope-conditions.ts',
    'visible rows on the paths of rules',
    'const inner = ownScope(entered, context, outer)',
    'const inner = outer.length < 0 ? ownScope(entered, context, outer) : null',
  ),
  place(
    'serve/read/rows/fetch-row.ts',
    'visible rows by their id',
    'const conditions = scopeConditions(served, trash)',
    'const conditions = scopeConditions(served, trash).slice(9)',
  ),
  place(
    'declare/resource/reading/row-linkage.ts',
    'visible rows of linkage in the row',
    'type.scope === null && type.softDeletes === null',
    'type.softDeletes === null',
  ),
  place(
    'serve/read/rows/require-view.ts',
    'the ability of FetchOne, for the row',
    "if (isHeld !== true) deny(served, 'view', request.context)",
  ),
  place(
    'serve/read/query/permission.ts',
    'the ability of FetchCollection, decided by the caller',
    "if (!isOfLists(ability) || typeof permission === 'boolean') return permission",
    'return permission',
  ),
  place(
    'declare/resource/policy/abilities.ts',
    'abilities of operations',
    'if (override === undefined || override === true) return usual',
    'if (override !== null) return usual',
  ),
  place(
    'declare/resource/policy/abilities.ts',
    'abilities that are true',
    'if (override === undefined || override === true) return usual\n  return override === false ? null : override',
    "if (override === undefined) return usual\n  return typeof override === 'boolean' ? null : override",
  ),
  place('server/assembly/compile/compile-policy.ts', 'before', 'decided ?? permissionOf(owner', 'permissionOf(owner'),
  place(
    'server/assembly/compile/compile-policy.ts',
    'before, of what is true otherwise',
    'before === undefined && rules.get(ability) === true',
    'rules.get(ability) === true',
  ),
  place(
    'declare/resource/request/memoize-in-request.ts',
    'results of this request only',
    '(context.#results ??= [])',
    '(context.#results ??= (globalThis as never as { results?: Results }).results ??= [])',
  ),
  place(
    'declare/resource/request/memoize-in-request.ts',
    'results that are not copied with the context',
    '#results in context ? context.#results : resultsElsewhere.get(context)',
    '#results in context ? ((context as never as { results?: Results }).results = context.#results ??= []) : ((context as never as { results?: Results }).results ?? resultsElsewhere.get(context))',
  ),
  place(
    'serve/read/plan/row-flags.ts',
    'linkage of members to other rows than their owner',
    'back.key.id === storage.key.id',
    "back.key.id !== ''",
  ),
  place(
    'serve/read/plan/row-flags.ts',
    'visible rows of linkage, by flags',
    '[served.type.type, scopeConditions(served)]',
    '[served.type.type, []]',
  ),
  place(
    'declare/resource/reading/row-linkage.ts',
    'flags of linkage',
    '(isSet(row[flagPosition]) ? read(row) : null)',
    'read(row)',
  ),
  place(
    'serve/render/relationships-writer.ts',
    'flags of linkage, in templates',
    "(isSet(row[flag]) ? write(row[position]) : 'null')",
    'write(row[position])',
  ),
  place(
    'stores/sql/query/sql-conditions.ts',
    'conditions of flags, in SQL',
    'sqlConditions([condition], rows, selected)',
    'sqlConditions([{ ...condition, conditionsOf: new Map() } as typeof condition], rows, build)',
  ),
  place(
    'serve/read/query/scope-conditions.ts',
    'rules of granted()',
    '[conditionIn(served, permission, { context, outer: [...outer, label] }) ?? everyRow]',
    '[]',
  ),
  place(
    'serve/read/query/scope-conditions.ts',
    'what granted() denies',
    'if (permission === false) return [noRow]',
    'if (permission === false) return []',
  ),
  place(
    'serve/read/query/read-conditions.ts',
    'keys of hidden rows, in filters',
    'isOfClient: true',
    'isOfClient: false',
  ),
  place(
    'serve/read/query/read-orders.ts',
    'keys of hidden rows, in sorts',
    'const { reference } = target',
    'const reference = target.path.length < 0 ? target.reference : null',
  ),
  place(
    'serve/hooks/after-fetch.ts',
    'visible resources that jobs redirect to',
    'return (await isHidden(location, request)) ? null : response',
    'return response',
  ),
  place(
    'server/assembly/server-service.ts',
    'private responses of types with a policy',
    'if (isPrivateType(type, types)) return true',
  ),
  place(
    'server/assembly/server-service.ts',
    'private responses of servers that authenticate',
    'return type.cacheHeaders?.public !== true && type.servers.some((server) => services.authenticates(server))',
    'return false',
  ),
  place(
    'server/journey/response-headers.ts',
    'Vary and private, by the caller',
    'if (ofServer.length + named.length === 0) return',
    'if (ofServer.length + named.length >= 0) return',
  ),
  place(
    'server/assembly/caller-headers.ts',
    'headers of callers of types with a policy',
    'return isRuled ? usualCallerHeaders : none',
    'return none',
  ),
  place(
    'serve/read/query/column-target.ts',
    'columns of rules, by their type',
    'return { ...column, kind: null, asStored: storedTexts(column.name, served.type) }',
    'return column',
  ),
  place(
    'serve/read/paging/page-of-rows.ts',
    'cursors of rows of other types',
    '`${types.map(({ type }) => type).join()} ${first}`',
    'first',
  ),
]
