// @ts-check
/**
 * Every place that asks for an access rule, and the same place without the question: the table of `access-mutations.mjs`.
 * A new place that asks for a rule belongs here.
 *
 * @typedef {object} Place
 * @property {string} name what the place asks for
 * @property {string} file
 * @property {string} text occurs exactly once in the file
 * @property {string} by what replaces it
 */

/** @returns {Place} */
const place = (/** @type {string} */ file, /** @type {string} */ name, /** @type {string} */ text, by = '') => ({
  file: `src/${file}`,
  name,
  text,
  by,
})

/** @type {readonly Place[]} */
const reads = [
  place(
    'build/compile/compile-policy.ts',
    'view, as a part of the scope',
    'if (policy === null || policy.isAlways(',
    'if (policy !== null || policy === null) return scope\n  if (policy === null || policy.isAlways(',
  ),
  place('handler/fetch-resource.ts', 'view, for one resource', "requirePermission(served, 'view', context)"),
  place('handler/fetch-resource.ts', 'viewAny, for lists', "requirePermission(served, 'viewAny', request.context)"),
  place(
    'handler/fetch-related.ts',
    'view of the owner, for related resources',
    "requirePermission(owner, 'view', request.context)",
  ),
  place(
    'handler/fetch-relationship.ts',
    'view of the owner, for linkage',
    "requirePermission(owner, 'view', request.context)",
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
    'resource/reading/id-reader.ts',
    'visible rows of linkage in the row',
    'type.scope === null && type.softDeletes === null',
    'type.softDeletes === null',
  ),
]

/** @type {readonly Place[]} */
const gates = [
  place(
    'write/prepare-write.ts',
    'create, before anything is read',
    "requirePermission(served, 'create', operation.context)",
    'null',
  ),
  place(
    'write/prepare-write.ts',
    'update, before anything is read',
    "requirePermission(served, 'update', operation.context)",
    'null',
  ),
  place(
    'write/prepare-write.ts',
    'delete, before anything is read',
    "requirePermission(served, 'delete', operation.context)",
  ),
  place(
    'write/prepare-write.ts',
    'forceDelete, before anything is read',
    "requirePermission(served, 'forceDelete', call.context)",
  ),
  place(
    'write/prepare-write.ts',
    'restore, before anything is read',
    "requirePermission(served, 'restore', call.context)",
  ),
  place(
    'write/prepare-write.ts',
    'update of the owner of a relation, before anything is read',
    "requirePermission(owner, 'update', operation.context)",
  ),
  place(
    'write/batch-context.ts',
    'create, for several new resources',
    'if (permission === false || permission instanceof RowCheck) return null',
  ),
  place('write/new-resource.ts', 'create, as a function', "if (result !== true) deny(served, 'create', context)"),
]

/** @type {readonly Place[]} */
const statements = [
  place('write/statement-writes.ts', 'create, by one statement', ' || !isCertainlyCreatable(served, values, context)'),
  place('write/statement-writes.ts', 'updated, by one statement', ' || !staysPermitted(served, values, context)'),
  place(
    'write/statement-writes.ts',
    'visible rows and update, by one statement',
    'const conditions = [...filled(scopeConditions(served), context), ...permitted]\n  const clientColumns',
    'const conditions: RowCondition[] = []\n  const clientColumns',
  ),
  place(
    'write/statement-writes.ts',
    'visible rows and delete, by one statement',
    'const conditions = [...filled(scopeConditions(served), context), ...permitted]\n  const write',
    'const conditions: RowCondition[] = []\n  const write',
  ),
  place(
    'write/statement-writes.ts',
    'visible owners, by one statement',
    'ownerConditions: [...filled(scopeConditions(owner), context), ...permitted]',
    'ownerConditions: permitted',
  ),
  place(
    'write/statement-writes.ts',
    'update of owners, by one statement',
    'ownerConditions: [...filled(scopeConditions(owner), context), ...permitted]',
    'ownerConditions: filled(scopeConditions(owner), context)',
  ),
  place(
    'write/statement-writes.ts',
    'visible members, by one statement',
    'memberConditions: filled(scopeConditions(target), context)',
    'memberConditions: []',
  ),
  place(
    'write/statement-writes.ts',
    'update of members, by one statement',
    "if (changesForeignRows(relation) && permissionIn(target, 'update', context) !== true) return null",
  ),
  place(
    'write/persist/permitted-writes.ts',
    'rules of writes by one statement',
    'permission instanceof RowRule ? [ruleCondition(served, permission, context)] : null',
    'permission instanceof RowRule ? none : null',
  ),
  place(
    'write/persist/permitted-writes.ts',
    'functions, by one statement',
    '[ruleCondition(served, permission, context)] : null',
    '[ruleCondition(served, permission, context)] : none',
  ),
  place(
    'write/persist/permitted-writes.ts',
    'visibility after an update by one statement',
    'if (!staysMet(scopeIn(served, context), values, served)) return false',
  ),
  place(
    'write/persist/permitted-writes.ts',
    'updated, if it is the rule of update',
    'return staysMet(condition, values, served)',
    'return true',
  ),
  place(
    'write/persist/permitted-writes.ts',
    'updated, if it is another rule',
    'return certainlyMeets(condition, values)',
    'return true',
  ),
  place(
    'write/persist/permitted-writes.ts',
    'visibility of a new row by one statement',
    'if (scope !== null && !certainlyMeets(scope, values)) return false',
  ),
  place(
    'write/persist/permitted-writes.ts',
    'create, of a new row by one statement',
    'return certainlyMeets(ruleCondition(served, permission, context), values)',
    'return true',
  ),
  place(
    'write/write-strategy.ts',
    'visible references, by one statement',
    'conditions: scopeConditions(target) }',
    'conditions: [] }',
  ),
  place(
    'write/create-batch.ts',
    'create, of several new rows',
    'isCertainlyCreatable(resource.served, values, reading.context) ? values : null',
    'values',
  ),
  place(
    'write/create-batch-by-statement.ts',
    'create, of several new rows by one statement',
    'isCertainlyCreatable(resource.served, values, request.context) ? values : null',
    'values',
  ),
]

/** @type {readonly Place[]} */
const transactions = [
  place(
    'write/update-in-transaction.ts',
    'update',
    "await checkRules([storedRow(served, row)], 'update', { context, open, limit }, sent)",
  ),
  place(
    'write/update-in-transaction.ts',
    'rows of others, on update',
    'await checkForeignRows({ mutations, ends }, { context, open, limit: services.maxErrors })',
  ),
  place(
    'write/update-in-transaction.ts',
    'updated, of work that cannot be undone',
    "await checkDraft(served, draft.row, 'updated', context)",
  ),
  place(
    'write/update-in-transaction.ts',
    'rows after an update',
    'return checkWritten(',
    'return (async (..._: unknown[]) => written)(',
  ),
  place(
    'write/create-in-transaction.ts',
    'rows of others, on create',
    'await checkForeignRows({ mutations, ends }, { context, open, limit: services.maxErrors })',
  ),
  place(
    'write/create-in-transaction.ts',
    'create, of work that cannot be undone',
    "await checkDraft(served, row, 'create', context)",
  ),
  place(
    'write/create-in-transaction.ts',
    'rows after a create',
    'return checkWritten(',
    'return (async (..._: unknown[]) => linked)(',
  ),
  place(
    'write/mutate-in-transaction.ts',
    'update of the owner',
    "await checkRules([storedRow(owner, row)], 'update', { context, open, limit }, incoming)",
  ),
  place(
    'write/mutate-in-transaction.ts',
    'rows of others, on a change of members',
    'await checkForeignRows({ mutations, ends: [] }, { context, open, limit })',
  ),
  place(
    'write/mutate-in-transaction.ts',
    'rows after a change of members',
    'const checked = await checkWritten(',
    'const checked = await (async (..._: unknown[]) => written)(',
  ),
  place(
    'write/delete-in-transaction.ts',
    'delete and forceDelete',
    "await checkRules([storedRow(served, row)], isPermanent ? 'forceDelete' : 'delete', check)",
  ),
  place('write/restore-in-transaction.ts', 'restore', "await checkRules([storedRow(served, row)], 'restore', check)"),
  place(
    'write/linkage/resolve-members.ts',
    'visible members that a write names',
    'const conditions = scopeConditions(served)',
    'const conditions = scopeConditions(served).slice(9)',
  ),
  place(
    'write/linkage/current-members.ts',
    'visible members that a write removes',
    ', ...scopeConditions(served)]',
    ']',
  ),
  place(
    'write/flattened/resulting-ends.ts',
    'visible rows of flattened attributes',
    'conditions: scopeConditions(served)',
    'conditions: []',
  ),
  place(
    'write/linkage/foreign-rows.ts',
    'members whose rows hold the key',
    "if (storage.kind === 'relatedKey') return true",
  ),
  place(
    'write/linkage/foreign-rows.ts',
    'members that show the same join rows',
    'return storage.owner.id === join.member.id && storage.member.id === join.owner.id',
    'return false',
  ),
  place('write/persist/check-rules.ts', 'rules of stored rows', 'deny(served, ability, check.context)', 'void deny'),
  place(
    'write/persist/check-rules.ts',
    'rules of rows in the store',
    'return uncertain.length === 0 || (await rowsOutside(served, uncertain, [condition], check)).length === 0',
    'return uncertain.length >= 0',
  ),
  place('write/persist/check-rules.ts', 'functions of the policy', 'if (result !== true) return false'),
  place(
    'write/persist/check-scope.ts',
    'visibility of rows after a write',
    'if (problems.length > 0) failAll(problems.slice(0, check.limit))',
  ),
  place(
    'write/persist/check-written.ts',
    'visibility of other rows after a write',
    'await checkScopes([own, ...foreign], check)',
    'await checkScopes([own], check)',
  ),
  place(
    'write/persist/check-written.ts',
    'visibility of the own row after a write',
    'await checkScopes([own, ...foreign], check)',
    'await checkScopes(foreign, check)',
  ),
  place(
    'write/persist/check-written.ts',
    'create and updated, of the own row',
    'if (!isDecided) await checkRules([own], ability, check)',
  ),
  place('write/persist/check-written.ts', 'updated, of other rows', "await checkRules(foreign, 'updated', check)"),
  place(
    'write/persist/check-written.ts',
    'update, of members',
    "await checkRules([...members, ...related], 'update', check)",
    "await checkRules(related, 'update', check)",
  ),
  place(
    'write/persist/check-written.ts',
    'update, of rows of flattened attributes',
    "await checkRules([...members, ...related], 'update', check)",
    "await checkRules(members, 'update', check)",
  ),
  place(
    'write/persist/check-written.ts',
    'rules of work that cannot be undone',
    'if (await isOutside(ruleCondition(served, permission, context))) deny(served, ability, context)',
  ),
]

export const places = Object.freeze([...reads, ...gates, ...statements, ...transactions])
