import { describeKey, isComposite, keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/**
 * Checks that an id is not only a part of a composite key of the model: then several rows would have the same id, and a
 * write to one of them would change all.
 */
export const wholeKeys: BuildRule = eachType(({ type: { ids, model } }) => {
  const key: unknown = model?.key
  if (typeof key !== 'string' || !isComposite(key)) return []
  return ids.flatMap(({ column }) => {
    if (isComposite(column) || !keyColumns(key).includes(column)) return []
    return [
      {
        member: 'id',
        problem: `is only a part of the key of its model, which is ${describeKey(key)}: several rows may have the same id`,
        remedy: `declare the whole key: id([${describeKey(key)}])`,
      },
    ]
  })
})
