// @ts-check
/** The checks of writes in a transaction. */
import { place } from './place.mjs'

/** @type {readonly import('./place.mjs').Place[]} */
export const transactions = [
  place(
    'serve/write/update.ts',
    'update',
    "await checkRules([storedRow(served, row)], 'update', { context, open, limit }, sent)",
  ),
  place(
    'serve/write/persist/write-resource.ts',
    'rows of others',
    'await checkForeignRows({ mutations, ends, parents }, check)',
  ),
  place(
    'serve/write/persist/write-resource.ts',
    'create and updated, of work that cannot be undone',
    'await checkDraft(served, draft, { mode, ability: each }, context)',
    'void each',
  ),
  place(
    'serve/write/persist/write-resource.ts',
    'rows after a write',
    'const checked = await checkWritten(',
    'const checked = await (async (..._: unknown[]) => written)(',
  ),
  place(
    'serve/write/members.ts',
    'update or mutate of the owner',
    'if (ability !== null) await checkRules([storedRow(owner, row)], ability, { context, open, limit }, incoming)',
  ),
  place(
    'serve/write/delete.ts',
    'delete and forceDelete',
    'limit: services.maxErrors }\n  if (ability !== false) await checkRules([storedRow(served, row)], ability, check)',
  ),
  place(
    'serve/write/delete.ts',
    'restore',
    'const { restore: ability } = softDeletes.abilities\n  if (ability !== false) await checkRules([storedRow(served, row)], ability, check)',
  ),
  place(
    'serve/write/delete.ts',
    'visibility of the row after it is restored',
    'await checkScopes([{ ...written, pointer: null }], check)',
  ),
  place(
    'serve/write/linkage/resolve-members.ts',
    'visible members that a write names',
    'const conditions = scopeConditions(served)',
    'const conditions = scopeConditions(served).slice(9)',
  ),
  place(
    'serve/write/linkage/current-members.ts',
    'visible members that a write removes',
    ', ...scopeConditions(served)]',
    ']',
  ),
  place(
    'serve/write/flattened/resulting-ends.ts',
    'visible rows of flattened attributes',
    'conditions: scopeConditions(served)',
    'conditions: []',
  ),
  place(
    'serve/write/linkage/foreign-rows.ts',
    'members whose rows contain the key',
    "if (storage.kind === 'relatedKey') return true",
  ),
  place(
    'serve/write/linkage/foreign-rows.ts',
    'members that show the same join rows',
    'return storage.owner.id === join.member.id && storage.member.id === join.owner.id',
    'return false',
  ),
  place(
    'serve/write/persist/check-rules.ts',
    'rules of stored rows',
    'deny(served, ability, check.context)',
    'void deny',
  ),
  place(
    'serve/write/persist/check-rules.ts',
    'rules of rows in the store',
    'return uncertain.length === 0 || (await rowsOutside(served, uncertain, [condition], check)).length === 0',
    'return uncertain.length >= 0',
  ),
  place('serve/write/persist/check-rules.ts', 'functions of the policy', 'if (result !== true) return false'),
  place(
    'serve/write/persist/check-scope.ts',
    'visibility of rows after a write',
    'if (problems.length > 0) failAll(problems.slice(0, check.limit))',
  ),
  place(
    'serve/write/persist/check-written.ts',
    'visibility of other rows after a write',
    'await checkScopes([resource, ...members.visible, ...related, ...linked], check)',
    'await checkScopes([resource], check)',
  ),
  place(
    'serve/write/persist/check-written.ts',
    'visibility of the own row after a write',
    'await checkScopes([resource, ...members.visible, ...related, ...linked], check)',
    'await checkScopes([...members.visible, ...related, ...linked], check)',
  ),
  place(
    'serve/write/persist/check-written.ts',
    'create and updated, of the own row',
    'if (ability !== null && !isDecided) await checkRules([resource], ability, check)',
  ),
  place(
    'serve/write/persist/check-written.ts',
    'updated, of members',
    "await checkRules([...members.updated, ...related], 'updated', check)",
    "await checkRules(related, 'updated', check)",
  ),
  place(
    'serve/write/persist/check-written.ts',
    'updated, of rows of flattened attributes',
    "await checkRules([...members.updated, ...related], 'updated', check)",
    "await checkRules(members.updated, 'updated', check)",
  ),
  place(
    'serve/write/persist/check-written.ts',
    'update, of members',
    'for (const { rows, abilities } of members) for (const ability of abilities) await checkRules(rows, ability, check)',
  ),
  place(
    'serve/write/persist/check-written.ts',
    'update, of rows of flattened attributes',
    "await checkRules(related, 'update', check)",
  ),
  place(
    'serve/write/persist/check-written.ts',
    'rules of work that cannot be undone',
    'if (await isOutside(ruleCondition(served, permission, context))) deny(served, ability, context)',
  ),
]
