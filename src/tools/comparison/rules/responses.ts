import type { Finding } from '../compare/change.js'
import { compareChildren } from '../compare/compare-nodes.js'
import type { AddFinding, ContractRule, OperationPair, Sides } from '../compare/contract-rule.js'
import { eachOperation, listDifference, quotedNames, when } from '../compare/contract-rule.js'
import type { ResponseContract } from '../model/contract.js'

/** Compares the documents, media types and headers of successful responses. Their statuses are compared by another rule. */
export const responses: ContractRule = eachOperation((pair, finding, sides) =>
  [...pair.before.responses].flatMap(([status, before]) => {
    const after = pair.after.responses.get(status)
    if (after === undefined) return []
    const response = { before, after, pair, finding }
    return [...(/^[23]/.test(status) ? documentFindings(response, sides) : []), ...headerFindings(response)]
  }),
)

/** A response of both contracts. */
interface ResponsePair {
  readonly before: ResponseContract
  readonly after: ResponseContract
  readonly pair: OperationPair
  readonly finding: AddFinding
}

function documentFindings(response: ResponsePair, sides: Sides): readonly Finding[] {
  const { before, after, pair, finding } = response
  const [old, newer] = [before.envelope, after.envelope]
  if (old === null && newer === null) return mediaTypeFindings(response)
  if (newer === null) return [finding('response-document-removed', 'Successful responses no longer have a document.')]
  if (old === null) return [finding('response-document-added', 'Successful responses have a document.')]
  const { key, owner } = pair.before
  const place = { sides, type: owner, member: null, operations: [key], subject: memberText }
  return [
    ...mediaTypeFindings(response),
    ...formFindings(response),
    ...compareChildren({ response: old }, { response: newer }, place)
      // Another rule compares the kinds of pages.
      .filter(({ member }) => !isOfPage(member) || hasSamePages(pair))
      .map((each) => ({ ...each, member: null })),
  ]
}

/** The media types of exports that no client of documents accepts: a client gets them only if it prefers them. */
const exportFormats: readonly string[] = ['application/x-ndjson', 'text/csv']

/** Whether the media type is that of an export. Actions choose the media types of their responses themselves. */
function isOfExport({ before, after, pair }: ResponsePair, mediaType: string): boolean {
  const isList = [before, after].every(({ forms }) => forms.includes('list'))
  return isList && !pair.before.key.includes('/-actions/') && exportFormats.includes(mediaType)
}

function mediaTypeFindings(response: ResponsePair): readonly Finding[] {
  const { before, after, finding } = response
  const { added, removed } = listDifference(before.mediaTypes, after.mediaTypes)
  return [
    ...removed.map((type) =>
      isOfExport(response, type)
        ? finding('export-format-removed', `The export no longer has the format ${type}.`)
        : finding('response-media-type-removed', `Responses no longer have the media type ${type}.`),
    ),
    ...added.map((type) =>
      isOfExport(response, type)
        ? finding('export-format-added', `The export has the format ${type}.`)
        : finding('response-media-type-added', `Responses may have the media type ${type}.`),
    ),
  ]
}

function memberText(_kind: unknown, member: string | null): string {
  return `The member '${(member ?? '').slice(1)}' of response documents`
}

function isOfPage(member: string | null): boolean {
  return member?.startsWith('.meta.page') === true
}

function hasSamePages({ before, after }: OperationPair): boolean {
  return before.query.page?.kinds.join() === after.query.page?.kinds.join()
}

function sentence(predicate: string): string {
  return `The primary data ${predicate}.`
}

/** Compares the primary data. The linkage of a relation is compared with its type. */
function formFindings({ before, after, pair, finding }: ResponsePair): readonly Finding[] {
  if (pair.before.relation !== null) return []
  const forms = listDifference(before.forms, after.forms)
  const types = listDifference(before.types, after.types)
  const isOtherForm = forms.added.length > 0 || forms.removed.length > 0
  const isOtherType = types.removed.length > 0 && after.types.length > 0
  const ofOthers = sentence(`is of ${quotedNames(after.types)} instead of ${quotedNames(before.types)}`)
  const isVariant = types.added.length > 0 && !isOtherType && before.types.length > 0
  return [
    ...when(
      isOtherForm,
      finding('response-form-changed', sentence(`is ${formText(after)} instead of ${formText(before)}`)),
    ),
    ...when(
      !isOtherForm && after.isNullable && !before.isNullable,
      finding('response-null-possible', sentence('may be null')),
    ),
    ...when(
      !isOtherForm && before.isNullable && !after.isNullable,
      finding('response-null-gone', sentence('is never null')),
    ),
    ...when(isOtherType, finding('response-form-changed', ofOthers)),
    ...when(isVariant, finding('response-variant-added', sentence(`may be of ${quotedNames(types.added)}`))),
  ]
}

const formNames: Readonly<Record<string, string>> = Object.freeze({
  one: 'one resource',
  list: 'a list',
  none: 'nothing',
})

function formText({ forms }: ResponseContract): string {
  return forms.map((form) => formNames[form] ?? form).join(' or ')
}

/** Headers that are not compared: for debugging, for caches, and for deprecations, which another rule compares. */
const ignored: readonly string[] = [
  'Server-Timing',
  'Query-Cost',
  'Deprecation',
  'Sunset',
  'Link',
  'Vary',
  'X-Content-Type-Options',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
]

function isKnown(name: string): boolean {
  return !ignored.includes(name)
}

function headerFindings({ before, after, finding }: ResponsePair): readonly Finding[] {
  const { added, removed } = listDifference(before.headers, after.headers)
  return [
    ...removed
      .filter(isKnown)
      .map((name) =>
        name === 'Access-Control-Allow-Origin'
          ? finding('cross-origin-refused', 'Pages of other origins can no longer read responses.')
          : finding('response-header-removed', `Responses no longer have the header '${name}'.`),
      ),
    ...added
      .filter(isKnown)
      .map((name) => finding('response-header-added', `Responses may have the header '${name}'.`)),
  ]
}
