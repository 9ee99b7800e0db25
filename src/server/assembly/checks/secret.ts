import cluster from 'node:cluster'
import { cursorPagesOf } from '../declared/cursor-pages.js'
import type { BuildContext, BuildRule } from '../declared/build-rule.js'
import { settingFault, typeLabel } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'
import { secretList } from '../compile/secret-list.js'

const member = 'secret'
const text = 'a text of at least 16 characters that clients do not know'

/** Checks the secret, and that there is one if several processes need the same one. It is never a part of a message. */
export const secret: BuildRule = (context) => {
  const given: unknown = context.settings.secret
  if (given !== undefined) {
    const isValid = secretList(given)?.every((each) => typeof each === 'string' && each.length >= 16) === true
    const problem = 'is not a text of at least 16 characters, or a list of such texts'
    return isValid ? [] : [settingFault(member, problem, `give ${text}`)]
  }
  const reason = hashReason(context) ?? clusterReason(context)
  if (reason === null) return []
  return [
    settingFault(member, `is missing, but ${reason.problem}`, `give ${text}, the same in all processes${reason.or}`),
  ]
}

interface Reason {
  readonly problem: string
  /** Another remedy. */
  readonly or: string
}

function hashReason({ types }: BuildContext): Reason | null {
  const hashed = types.filter(({ type }) => type.version?.kind === 'hash').map((type) => describeValue(typeLabel(type)))
  if (hashed.length === 0) return null
  const problem = `the version of ${[...new Set(hashed)].join(', ')} is a hash`
  return { problem, or: ', or name a column as version' }
}

/** A cursor of one worker would be invalid in all others. */
function clusterReason(context: BuildContext): Reason | null {
  const [paged] = cluster.isWorker ? cursorPagesOf(context) : []
  return paged === undefined
    ? null
    : { problem: `${paged} has cursor pages, and this process is a worker of a cluster`, or: '' }
}
