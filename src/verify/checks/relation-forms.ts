import type { Check } from './run.js'

/** A relationship is to-one or to-many: its linkage has one form in all resources. */
export const relationForms: Check = {
  name: 'forms of linkage',
  statements: ['resource-linkage'],
  async run({ knowledge, ledger }) {
    for (const type of knowledge.types.values()) {
      for (const { name, isToMany, samples } of type.relations.values()) {
        if (isToMany === null) continue
        const other = samples.find(({ data }) => data !== undefined && Array.isArray(data) !== isToMany)
        ledger.expect('resource-linkage', other === undefined, {
          problem: `The linkage of the relationship '${name}' of '${type.name}' is an array in some resources, and not in others.`,
          exchange: null,
        })
      }
    }
  },
}
