// @ts-check
/**
 * Checks that were missing once, and that attackers found by hand, by their file and name: the leak walk alone has to find each of
 * them, without a test that is about it.
 *
 * @type {Readonly<Record<'reads' | 'writes', readonly string[]>>} by the requests that find it
 */
export const attacks = Object.freeze({
  reads: [
    'src/read/query/column-target.ts: columns of rules, by their type',
    'src/read/query/read-orders.ts: keys of hidden rows, in sorts',
  ],
  writes: [
    'src/write/persist/written-members.ts: visibility of members whose rules look at join rows',
    'src/write/persist/written-members.ts: rows of members that another provider reads',
    'src/write/persist/check-written.ts: mutate of relations of parents',
    'src/resource/abilities.ts: abilities that are true',
    'src/write/persist/write-resource.ts: fields that the written row hides',
    'src/write/linkage/check-gates.ts: equal members of relations that the caller may not read',
    'src/write/persist/write-resource.ts: versions after changes of relations that the caller may not read',
  ],
})
