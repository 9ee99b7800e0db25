// @ts-check
/** The checks of writes by one statement. */
import { place } from './place.mjs'

/** @type {readonly import('./place.mjs').Place[]} */
export const statements = [
  place(
    'serve/write/new-resource.ts',
    'create, of new rows',
    'const conditions = creatableConditions(served, values, context)',
    'const conditions = []',
  ),
  place('serve/write/upsert.ts', 'update and create of upserts', "Object.freeze(['update', 'create'])", '[]'),
  place('serve/write/by-statement.ts', 'updated, by one statement', ' || !staysPermitted(served, values, context)'),
  place(
    'serve/write/by-statement.ts',
    'visible rows, by one statement',
    'const visible = scopeConditions(served)',
    'const visible: RowCondition[] = []',
  ),
  place(
    'serve/write/by-statement.ts',
    'rows of other types whose rules look at the written row, by one statement',
    'if (scope !== null && looksAtModel(scope, served, context)) return null',
  ),
  place(
    'stores/sql/query/shared-columns.ts',
    'foreign keys that the database has checked',
    'key.isChecked === true && ',
  ),
  place(
    'stores/sql/query/shared-columns.ts',
    'columns that a foreign key proves',
    '.every((column) => shared.has(column))',
    '',
  ),
  place('stores/sql/query/shared-columns.ts', 'columns that are never null', 'own.nullable || '),
  place('serve/write/by-statement.ts', 'rules of rows, by one statement', '[...visible, ...permitted]', 'visible'),
  place(
    'serve/write/by-statement.ts',
    'visible rows and update, by one statement',
    "rowConditions(served, { ability: 'update', ifMatch }, call, context)",
    '[]',
  ),
  place(
    'serve/write/delete.ts',
    'visible rows and delete, by one statement',
    "rowConditions(served, { ability: 'delete', ifMatch }, call, context)",
    '[]',
  ),
  place(
    'serve/write/members.ts',
    'visible owners and update, by one statement',
    "rowConditions(owner, { ability: 'update', ifMatch }, call, context)",
    '[]',
  ),
  place(
    'serve/write/members.ts',
    'visible members, by one statement',
    'const memberConditions = conditionsFor(call.acceptsScopes, scopeConditions(target), context)',
    'const memberConditions: never[] = []',
  ),
  place(
    'serve/write/members.ts',
    'update of members, by one statement',
    'if (foreign.some((ability) => permissionIn(target, ability, context) !== true)) return null',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'rules of writes by one statement',
    'permission instanceof RowRule ? [ruleSlot(served, ability)] : null',
    'permission instanceof RowRule ? none : null',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'functions, by one statement',
    '[ruleSlot(served, ability)] : null',
    '[ruleSlot(served, ability)] : none',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'visibility after an update by one statement',
    'if (!staysMet(scopeIn(served, context), values, served)) return false',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'rules other than that of view, by one statement',
    "permission instanceof RowRule && policy?.permission('view', context) === permission",
    'permission instanceof RowRule',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'updated, if it is the rule of update',
    "return staysMet(ruleSlot(served, 'update').conditionIn(context), values, served)",
    'return true',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'updated, if it is another rule',
    'return certainlyMeets(ruleCondition(served, updated, context), values)',
    'return true',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'visibility of a new row by one statement',
    '[scopeOf(served), rule === null',
    '[null, rule === null',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'visibility of a new row, by its values',
    'const isVisible = scope === null || certainlyMeets(scope, values)',
    'const isVisible = true',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'create, of a new row by one statement',
    "rule === null ? null : ruleSlot(served, 'create')",
    'null',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'create, of a new row, by its values',
    'isVisible && (rule === null || certainlyMeets(rule, values))',
    'isVisible',
  ),
  place(
    'serve/read/query/scope-conditions.ts',
    'rules of writes by one statement, in the request',
    'return permission instanceof RowRule ? ruleCondition(served, permission, context) : noRow',
    'return null',
  ),
  place(
    'serve/write/members.ts',
    'writable relations, by one statement',
    " || !isWritable(relation, 'update', request.context)",
  ),
  place('serve/write/by-statement.ts', 'gates of relations, by one statement', 'isWritableWithoutRow(change) && '),
  place(
    'stores/sql/write/row-check.ts',
    'rules about columns that the database fills',
    'if (meets === null) return null',
    'return null',
  ),
  place(
    'stores/sql/dialect/postgres/postgres-sequence.ts',
    'rules about columns that the database fills, in batches',
    'const areMet = meets === null ? sql`` : conditionsOf(meets)',
    'const areMet = sql``',
  ),
  place(
    'serve/write/write-strategy.ts',
    'visible references, by one statement',
    'conditions: scopeConditions(target) }',
    'conditions: [] }',
  ),
  place(
    'serve/write/by-statement.ts',
    'flags of linkage after the update, by one statement',
    'plan.flags(served).filter(({ condition }) => !looksAtModel(condition, served, context))',
    'plan.flags(served)',
  ),
  place(
    'serve/write/respond.ts',
    'visible linkage of a new resource that was not sent',
    'data === null || (sent?.type === data.type && sent.id === data.id)',
    'sent !== null',
  ),
]
