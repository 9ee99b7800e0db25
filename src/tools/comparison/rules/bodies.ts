import { compareChildren } from '../compare/compare-nodes.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { eachOperation, listDifference, quotedNames, when } from '../compare/contract-rule.js'

/** Compares the bodies of requests around their resource objects. */
export const bodies: ContractRule = eachOperation((pair, finding, sides) => {
  const { key, owner } = pair.before
  const [old, newer] = [pair.before.body, pair.after.body]
  if (old === null && newer === null) return []
  if (newer === null) return [finding('body-ignored', 'The body of requests is no longer read.')]
  if (old === null) {
    return newer.isRequired
      ? [finding('body-required', 'A body is required.')]
      : [finding('body-optional', 'Requests may have a body.')]
  }
  const { added, removed } = listDifference(old.mediaTypes, newer.mediaTypes)
  const types = listDifference(old.types, newer.types)
  const otherType = `The document of requests has a resource of ${quotedNames(newer.types)} instead of ${quotedNames(old.types)}.`
  const place = {
    sides,
    type: owner,
    member: null,
    operations: [key],
    subject: (_kind: unknown, member: string | null) => `The member '${(member ?? '').slice(1)}' of request documents`,
  }
  return [
    ...when(newer.isRequired && !old.isRequired, finding('body-required', 'A body is required.')),
    ...when(old.isRequired && !newer.isRequired, finding('body-optional', 'A body is optional.')),
    ...removed.map((type) =>
      finding('request-media-type-removed', `Requests can no longer have the media type ${type}.`),
    ),
    ...added.map((type) => finding('request-media-type-added', `Requests may have the media type ${type}.`)),
    ...when(pair.before.relation === null && types.removed.length > 0, finding('value-type-changed', otherType)),
    ...(old.envelope === null || newer.envelope === null
      ? []
      : compareChildren({ request: old.envelope }, { request: newer.envelope }, place)
    ).map((each) => ({ ...each, member: null })),
  ]
})
