import type { BuildRule, TypeFault } from './build-rule.js'
import { eachType } from './build-rule.js'
import { shown } from './shown.js'

/** A model has a name, a key, and columns that are a list of names where they are known. */
export const models: BuildRule = eachType(({ type: { model }, given }) => {
  if (given['model'] === undefined) return []
  if (model === null) return [fault(`is ${shown(given['model'])}`)]
  const members: Readonly<Record<keyof typeof model, unknown>> = { row: undefined, ...model }
  const { name, key, columns } = members
  return [
    ...(typeof name === 'string' && name !== '' ? [] : [fault(`is called ${shown(name)}`)]),
    ...(typeof key === 'string' && key !== '' ? [] : [fault(`has the key ${shown(key)}`)]),
    ...(columns === null || isNames(columns) ? [] : [fault('has columns that are no list of names')]),
    ...(isNames(columns) && typeof key === 'string' && !columns.includes(key)
      ? [fault(`has no column ${shown(key)}, which is to be its key`)]
      : []),
  ]
})

function fault(problem: string): TypeFault {
  return { member: 'model', problem, remedy: "make it with model(): model: model('albums', { key: 'id' })" }
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((column) => typeof column === 'string')
}
