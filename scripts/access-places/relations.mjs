// @ts-check
/** The checks of `security({ mutate })` of relations. */
import { place } from './place.mjs'

/** @type {readonly import('./place.mjs').Place[]} */
export const relations = [
  place(
    'write/prepare-write.ts',
    'mutate of relations on create, before anything is read',
    'for (const ability of abilitiesOf(sentRelations({ changes, selfLinkage })))\n        requirePermission(served, ability, operation.context)',
  ),
  place(
    'write/prepare-write.ts',
    'mutate of relations on update, before anything is read',
    'for (const ability of abilitiesOf(read.linkages)) requirePermission(served, ability, operation.context)',
  ),
  place(
    'write/new-resource.ts',
    'mutate of relations on create, as a function',
    "const abilities = ['create', ...abilitiesOf(sentRelations(resource))]",
    "const abilities = ['create']",
  ),
  place(
    'write/create-in-transaction.ts',
    'mutate of relations on create',
    'for (const ability of rules) await checkRules([written], ability, check)',
  ),
  place(
    'write/create-in-transaction.ts',
    'mutate of relations, of work that cannot be undone',
    "for (const ability of ['create', ...relationAbilities]) {",
    "for (const ability of ['create']) {",
  ),
  place(
    'write/update-in-transaction.ts',
    'mutate of relations on update',
    'await checkRelationRules(storedRow(served, row), linkages, { context, open, limit }, sent)',
  ),
  place(
    'write/mutate-in-transaction.ts',
    'visibleIf() of the relation',
    'await checkAddressable(parent, relation, request)',
  ),
  place(
    'write/mutate-in-transaction.ts',
    'updated, of work that cannot be undone',
    "await checkDraft(owner, { ...row, ...columns }, { mode: 'update', ability: abilityAfter }, context)",
  ),
  place(
    'write/linkage/foreign-rows.ts',
    'mutate of the relation of the other side',
    'return [...new Set(abilities.filter((ability) => ability !== null))]',
    'return []',
  ),
  place(
    'write/linkage/foreign-rows.ts',
    'members whose rows contain the key, by the relation of the other side',
    "if (abilities.length === 0 || abilities.includes('update')) return update",
    'if (abilities.length === 0) return []',
  ),
  place(
    'write/write-strategy.ts',
    'mutate of relations, by one statement',
    'if (isGuarded(spec) || hasOwnMutateAbility(spec)) return separateAbility',
  ),
  place(
    'write/write-strategy.ts',
    'mutate of references, by one statement',
    'if (isGuarded(spec) || hasOwnMutateAbility(spec)) return null',
  ),
  place(
    'write/write-strategy.ts',
    'mutate of references, of several new rows',
    ' || hasOwnMutateAbility(spec)) return false',
    ') return false',
  ),
  place(
    'write/respond.ts',
    'security({ read }) of a relation that was changed',
    'for (const guard of guardsOf(relation.spec)) if (!(await holds(owner, guard, request))) return noContentResponse()',
  ),
]
