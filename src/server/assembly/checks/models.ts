import { isComposite, keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { Model } from '../../../declare/resource/parts/model.js'
import { isForeignKey } from '../../../declare/resource/compiled/foreign-columns.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that a model has a name, a key, and, where it lists them, valid columns and foreign keys. */
export const models: BuildRule = eachType(({ type: { model, id }, rawMembers: given }) => {
  if (given['model'] === undefined) return []
  if (model === null) return [fault(`is ${describeValue(given['model'])}`)]
  const members: Readonly<Record<keyof Model<unknown>, unknown>> = {
    row: undefined,
    relationKeys: undefined,
    foreignKeys: undefined,
    computedColumns: undefined,
    hasDefaultKey: undefined,
    ...model,
  }
  const { name, key, columns, foreignKeys, computedColumns } = members
  return [
    ...(typeof name === 'string' && name !== '' ? [] : [fault(`has the name ${describeValue(name)}`)]),
    ...(typeof key === 'string' && key !== '' ? [] : [fault(`has the key ${describeValue(key)}`)]),
    ...(columns === null || isNames(columns) ? [] : [fault('has columns that are not a list of names')]),
    ...(computedColumns === undefined || isNames(computedColumns)
      ? []
      : [fault('has computed columns that are not a list of names')]),
    // A composite id replaces the key of a model that names none.
    ...(isNames(columns) && typeof key === 'string' && !(model.hasDefaultKey === true && isComposite(id.column))
      ? keyColumns(key)
          .filter((column) => !columns.includes(column))
          .map((column) => fault(`has the key ${describeValue(column)}, which is not one of its columns`))
      : []),
    ...(foreignKeys === undefined || areForeignKeys(foreignKeys)
      ? []
      : [
          fault(
            "has foreign keys that are not a list of { columns: ['artistId'], model: 'artists', references: ['id'] }",
          ),
        ]),
  ]
})

function areForeignKeys(value: unknown): boolean {
  return Array.isArray(value) && value.every(isForeignKey)
}

function fault(problem: string): TypeFault {
  return { member: 'model', problem, remedy: "make it with model(): model: model('albums', { key: 'id' })" }
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((column) => typeof column === 'string')
}
