import type { StatementId } from '../statements/statements.js'
import type { DocumentInspection, JsonObject, Path } from './document-inspection.js'
import { checkMeta, checkString, isJsonObject, objectAt, observe, reportProblem } from './document-inspection.js'
import { checkMemberNames, checkMembers, visibleMembers } from './member-names.js'

// The characters of RFC 3986. Square brackets are only for IP addresses: in query parameters they are percent-encoded.
const uriReference = /^(?:[a-zA-Z][a-zA-Z0-9+.-]*:\/\/\[[0-9a-fA-F:.]+\])?(?:[\w!#$&'()*+,./:;=?@~-]|%[0-9a-fA-F]{2})*$/

const linkMembers = ['href', 'rel', 'describedby', 'title', 'type', 'hreflang', 'meta']

/** https://jsonapi.org/format/1.1/#document-links */
export function checkLinks(owner: JsonObject, at: Path, inspection: DocumentInspection): void {
  if (!Object.hasOwn(owner, 'links')) return
  const path = [...at, 'links']
  const links = objectAt(owner['links'], path, 'top-level-links-object', inspection)
  if (links === null) return
  checkMemberNames(links, path, inspection)
  for (const name of visibleMembers(links)) checkLink(links[name], [...path, name], inspection)
}

const paginationLinks = ['first', 'last', 'prev', 'next']

/**
 * Checks that only a collection has pagination links. An unavailable link is `null` or absent.
 * https://jsonapi.org/format/1.1/#fetching-pagination
 */
export function checkPaginationLinks(owner: JsonObject, at: Path, inspection: DocumentInspection): void {
  const { links, data } = owner
  if (!isJsonObject(links) || data === undefined) return
  for (const name of paginationLinks) {
    if (links[name] === undefined || links[name] === null) continue
    observe(inspection, 'pagination-links-object')
    if (Array.isArray(data)) continue
    reportProblem(
      inspection,
      'pagination-links-object',
      [...at, 'links', name],
      'Only a collection may have pagination links.',
    )
  }
}

/** Checks a link: a string, `null`, or a link object. */
function checkLink(link: unknown, at: Path, inspection: DocumentInspection): void {
  observe(inspection, 'top-level-links-members')
  if (link === null) return
  if (typeof link === 'string') checkUri(link, at, inspection)
  else if (isJsonObject(link)) checkLinkObject(link, at, inspection)
  else reportProblem(inspection, 'top-level-links-members', at, 'A link must be a string, a link object or null.')
}

function checkLinkObject(link: JsonObject, at: Path, inspection: DocumentInspection): void {
  checkMembers(link, at, linkMembers, inspection)
  checkMeta(link, at, inspection)
  observe(inspection, 'link-object-href', 'link-object-members')
  if (!Object.hasOwn(link, 'href'))
    reportProblem(inspection, 'link-object-href', at, "A link object must have the member 'href'.")
  else if (checkString(link['href'], [...at, 'href'], 'link-object-href', inspection))
    checkUri(link['href'], [...at, 'href'], inspection)
  for (const member of ['rel', 'title', 'type']) {
    if (Object.hasOwn(link, member)) checkString(link[member], [...at, member], 'link-object-members', inspection)
  }
  if (Object.hasOwn(link, 'describedby')) checkLink(link['describedby'], [...at, 'describedby'], inspection)
  if (Object.hasOwn(link, 'hreflang')) checkLanguages(link['hreflang'], [...at, 'hreflang'], inspection)
}

function checkLanguages(value: unknown, at: Path, inspection: DocumentInspection): void {
  if (!Array.isArray(value)) checkString(value, at, 'link-object-members', inspection)
  else
    for (const [index, language] of value.entries())
      checkString(language, [...at, index], 'link-object-members', inspection)
}

function checkUri(text: string, at: Path, inspection: DocumentInspection): void {
  observe(inspection, 'link-uri-reference')
  if (text.includes('?')) observe(inspection, 'links-square-brackets')
  if (!uriReference.test(text)) reportProblem(inspection, violatedBy(text), at, `'${text}' is not a URI reference.`)
}

/** Returns the statement that a link violates: 1.0 requires a URL, which may have more characters. */
function violatedBy(text: string): StatementId {
  if (uriReference.test(text.replaceAll(/[[\]]/g, ''))) return 'links-square-brackets'
  return URL.canParse(text, 'http://localhost') && !/[\s<>"{}|\\^`]/.test(text)
    ? 'link-uri-reference'
    : 'top-level-links-members'
}

/** Returns whether a value is an absolute URI. For lists of URIs that are not links. */
export function isAbsoluteUri(value: unknown): boolean {
  return typeof value === 'string' && uriReference.test(value) && /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(value)
}
