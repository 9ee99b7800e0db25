// @ts-check
/**
 * Checks that were missing once, and that attackers found by hand, by their file and name: the leak walk alone has to find each of
 * them, without a test that is about it.
 *
 * @type {Readonly<Record<'reads' | 'writes', readonly string[]>>} by the requests that find it
 */
export const attacks = Object.freeze({
  reads: [
    'src/serve/read/query/column-target.ts: columns of rules, by their type',
    'src/serve/read/query/read-orders.ts: keys of hidden rows, in sorts',
  ],
  writes: [
    'src/serve/write/persist/written-members.ts: visibility of members whose rules look at join rows',
    'src/serve/write/persist/written-members.ts: rows of members that another provider reads',
    'src/serve/write/persist/check-written.ts: mutate of relations of parents',
    'src/declare/resource/policy/abilities.ts: abilities that are true',
    'src/serve/write/persist/write-resource.ts: fields that the written row hides',
    'src/serve/write/linkage/check-gates.ts: equal members of relations that the caller may not read',
    'src/serve/write/persist/write-resource.ts: versions after changes of relations that the caller may not read',
  ],
})
