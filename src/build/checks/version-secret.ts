import type { BuildRule } from '../declared/build-rule.js'
import { settingFault, typeLabel } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

const member = 'versionSecret'
const text = 'a text of at least 16 characters that clients do not know'

/** Checks that there is a secret if a version is a hash. The secret is never a part of a message. */
export const versionSecret: BuildRule = ({ settings, types }) => {
  const secret: unknown = settings.versionSecret
  if (secret !== undefined) {
    const isLong = typeof secret === 'string' && secret.length >= 16
    return isLong ? [] : [settingFault(member, 'is not a text of at least 16 characters', `give ${text}`)]
  }
  const hashed = types.filter(({ type }) => type.version?.kind === 'hash').map((type) => describeValue(typeLabel(type)))
  if (hashed.length === 0) return []
  const problem = `is missing, but the version of ${[...new Set(hashed)].join(', ')} is a hash`
  return [settingFault(member, problem, `give ${text}, the same in all processes, or name a column as version`)]
}
