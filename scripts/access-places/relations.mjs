// @ts-check
/** The checks of `security({ mutate })` of relations. */
import { place } from './place.mjs'

/** @type {readonly import('./place.mjs').Place[]} */
export const relations = [
  place(
    'serve/write/prepare-write.ts',
    'mutate of relations on create, before anything is read',
    'for (const ability of resource.relationAbilities) permit(ability)',
  ),
  place(
    'serve/write/prepare-write.ts',
    'mutate of relations on update, before anything is read',
    'for (const ability of abilitiesOf(linkages)) requirePermission(served, ability, context)',
  ),
  place(
    'serve/write/prepare-write.ts',
    'mutate of relations on create, as a function',
    'if (permission instanceof RowCheck)',
    "if (permission instanceof RowCheck && ability === 'create')",
  ),
  place(
    'serve/write/persist/write-resource.ts',
    'mutate of relations on create',
    'for (const ability of rules) await checkRules([storedRow(served, result)], ability, check)',
  ),
  place(
    'serve/write/persist/write-resource.ts',
    'mutate of relations, of work that cannot be undone',
    'for (const each of [ability, ...relationAbilities])',
    'for (const each of [ability])',
  ),
  place(
    'serve/write/update.ts',
    'mutate of relations on update',
    'await checkRelationRules(storedRow(served, row), linkages, { context, open, limit }, sent)',
  ),
  place('serve/write/members.ts', 'visibleIf() of the relation', 'await checkAddressable(parent, relation, request)'),
  place(
    'serve/write/linkage/foreign-rows.ts',
    'mutate of the relation of the other side',
    'return [...new Set(abilities.filter((ability) => ability !== null))]',
    'return []',
  ),
  place(
    'serve/write/linkage/foreign-rows.ts',
    'members whose rows contain the key, by the relation of the other side',
    "if (abilities.length === 0 || abilities.includes('update')) return update",
    'if (abilities.length === 0) return []',
  ),
  place(
    'serve/write/write-strategy.ts',
    'mutate of relations, by one statement',
    'if (isGuarded(spec) || hasOwnMutateAbility(spec)) return separateAbility',
  ),
  place(
    'serve/write/write-strategy.ts',
    'mutate of references, by one statement',
    'if (isGuarded(spec) || hasOwnMutateAbility(spec)) return null',
  ),
  place(
    'serve/write/write-strategy.ts',
    'mutate of references, of several new rows',
    ' || hasOwnMutateAbility(spec)) return false',
    ') return false',
  ),
  place(
    'serve/write/respond.ts',
    'security({ read }) of a relation that was changed',
    'for (const guard of guardsOf(relation.spec)) if (!(await holds(owner, guard, request))) return noContentResponse()',
  ),
  place('serve/write/persist/check-written.ts', 'mutate of relations of parents', 'await checkParents(parents, check)'),
  place(
    'serve/write/persist/write-resource.ts',
    'mutate of relations of a new resource that is its own parent',
    'await checkParents(await parentRows(own, check), check)',
  ),
  place(
    'serve/write/persist/check-parents.ts',
    'parents from which members are taken',
    'parents.push(...rows.flatMap((before) => changedParents({ served, before, values: linked, concealed: [] })))',
  ),
  place(
    'serve/write/persist/check-parents.ts',
    'parents of rows of flattened attributes',
    'changedParents({ served, before: row ?? null, values, concealed: [] }),',
    '[],',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'keys of parents, by one statement',
    '  if (setsGuardedKey(served, values, context)) return false\n  if (!staysMet',
    '  if (!staysMet',
  ),
  place(
    'serve/write/persist/permitted-writes.ts',
    'keys of parents, of new rows by one statement',
    'if (setsGuardedKey(served, values, context)) return null',
  ),
  place(
    'serve/write/linkage/guarded-keys.ts',
    'equal keys of relations that the caller may not read',
    '&& !isConcealed) return []',
    ') return []',
  ),
  place(
    'serve/write/linkage/check-gates.ts',
    'equal members of relations that the caller may not read',
    '!countsAsChange(change)',
    '!countsAsChange({ ...change, isConcealed: false })',
  ),
  place(
    'serve/write/persist/check-written.ts',
    'named resources of relations that the caller may not read',
    ', ...mutation.concealed]',
    ']',
  ),
  place(
    'serve/write/persist/write-resource.ts',
    'versions after changes of relations that the caller may not read',
    'mutations.length + ends.length > 0 || changes.some(({ isConcealed }) => isConcealed)',
    'mutations.some(({ change: { added, updated, removed } }) => added.length + updated.length + removed.length > 0) || ends.length > 0',
  ),
  place(
    'serve/write/persist/written-members.ts',
    'visibility of members whose rules look at join rows',
    'return looksAtModels(condition, [owner.model?.name, storage.model], context)',
    'return false',
  ),
  place(
    'serve/write/persist/written-members.ts',
    'rows of members that another provider reads',
    'if (!isReadByOtherStore(served)) return rows',
    'if (rows.length > 0) return rows.filter(() => !isReadByOtherStore(served))',
  ),
  place(
    'serve/write/persist/check-scope.ts',
    'visibility of rows that a written row refers to',
    'return scope !== null && looksAtModel(scope, referring, context)',
    'return scope !== null && looksAtModel(scope, referring, context) && context === null',
  ),
  place(
    'serve/write/members.ts',
    'members whose rules look at join rows, by one statement',
    '  if (mayChangeVisibility(relation, target, context) || mayChangeUpdated(relation, target, context)) return null\n',
  ),
]
