import { thrownMessage } from '../../errors/describe-thrown.js'
import { compileErrorSettings } from '../../errors/error-settings.js'
import type { BuildRule } from './build-rule.js'
import { settingFault } from './build-rule.js'
import { shown } from './shown.js'

/** Exception mappers can be asked, and the exception map names classes and statuses. */
export const errorSettings: BuildRule = ({ settings: { mappers, exceptionMap } }) => {
  const shapes = [
    ...(mappers === undefined || Array.isArray(mappers)
      ? []
      : [settingFault('mappers', `is ${shown(mappers)}`, 'give a list of exception mappers')]),
    ...(exceptionMap === undefined || isEntries(exceptionMap)
      ? []
      : [
          settingFault(
            'exceptionMap',
            'is no list of classes and statuses',
            'give a list, exceptionMap: [[OutOfStock, 409]], or a Map',
          ),
        ]),
  ]
  if (shapes.length > 0) return shapes
  try {
    compileErrorSettings({ mappers, exceptionMap })
    return []
  } catch (thrown) {
    return thrownMessage(thrown)
      .split('\n')
      .map((sentence) => {
        const member = sentence.includes('mapper') ? 'mappers' : 'exceptionMap'
        const [problem = sentence, remedy = "give one with a function 'map' and, if it has one, a number as priority"] =
          sentence.replace(/\.$/, '').split('; ')
        return settingFault(member, `${problem.charAt(0).toLowerCase()}${problem.slice(1)}`, remedy)
      })
  }
}

function isEntries(value: unknown): boolean {
  if (value instanceof Map) return true
  return Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null)
}
