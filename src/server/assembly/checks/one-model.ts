import type { BuildRule } from '../declared/build-rule.js'
import { typeLabel } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that all declarations of a type have the same model, on all servers. Two types may share a model. */
export const oneModel: BuildRule = ({ types }) => {
  const models = new Map<string, string>()
  return types.flatMap((declared) => {
    const { type, model } = declared.type
    if (model === null || type === '') return []
    const first = models.get(type)
    if (first === undefined) models.set(type, model.name)
    if (first === undefined || first === model.name) return []
    return [
      {
        type: typeLabel(declared),
        member: 'model',
        problem: `uses the model ${describeValue(model.name)} here and the model ${describeValue(first)} in another declaration`,
        remedy: 'give both declarations one model, or one of them another type',
      },
    ]
  })
}
