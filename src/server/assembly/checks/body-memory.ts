import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'
import { largestBody } from '../declared/largest-body.js'

/** Checks that the setting `bodyMemory` is a number of bytes in which the largest body fits. */
export const bodyMemory: BuildRule = ({ settings, routeServers }) => {
  const declared: unknown = settings.bodyMemory
  if (declared === undefined) return []
  if (typeof declared !== 'number' || !Number.isInteger(declared) || declared < 1) {
    return [settingFault('bodyMemory', `is ${describeValue(declared)}`, 'give a whole number of bytes above 0')]
  }
  const { server, bytes } = largestBody(settings, routeServers)
  if (declared >= bytes) return []
  const owner = server === 'default' ? '' : ` of the server '${server}'`
  return [
    settingFault(
      'bodyMemory',
      `is ${declared}, less than limits.bodyBytes${owner}, ${bytes}`,
      'give at least as much, or lower limits.bodyBytes',
    ),
  ]
}
