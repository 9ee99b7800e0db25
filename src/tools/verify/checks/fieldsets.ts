import { withQuery } from '../crawl/addresses.js'
import type { KnownType } from '../crawl/knowledge.js'
import { primaryResources, type ResourceObject } from '../documents/document-links.js'
import { dataDocument, type Exchange, responded } from '../exchange/exchange.js'
import { addressedIn, addressesOf, type Check, probe, type Run } from './run.js'

/** https://jsonapi.org/format/1.1/#fetching-sparse-fieldsets */
export const fieldsets: Check = {
  name: 'sparse fieldsets',
  statements: [
    'sparse-fieldsets-additional-fields',
    'sparse-fieldsets-empty',
    'member-name-case',
    'square-brackets-unencoded',
  ],
  async run(run) {
    await Promise.all([...run.knowledge.types.values()].map((type) => checkType(type, run)))
  },
}

async function checkType(type: KnownType, run: Run): Promise<void> {
  const sample = addressedIn(type) ?? [...type.resources.values()][0]
  const fields = sample === undefined ? [] : fieldNames(sample)
  const [attribute] = Object.keys(sample?.attributes ?? {}).filter((name) => /^[a-z]/i.test(name))
  if (attribute === undefined || fields.length < 2) return
  const results = await Promise.all(addressesOf(type).map((url) => checkAddress(url, type.name, attribute, run)))
  const [url] = addressesOf(type)
  if (url === undefined || !results.includes(true)) return
  await Promise.all([
    checkEmpty(url, type.name, run),
    checkCase(url, type.name, attribute, run),
    checkBrackets(url, type.name, attribute, run),
  ])
}

function fieldNames({ attributes, relationships }: ResourceObject): readonly string[] {
  return [...Object.keys(attributes), ...Object.keys(relationships)].filter((name) => !name.startsWith('@'))
}

/** Returns whether the server supports sparse fieldsets here. */
async function checkAddress(url: string, type: string, field: string, run: Run): Promise<boolean> {
  const exchange = await probe(run, withQuery(url, { [`fields[${type}]`]: field }))
  if (exchange === null || dataDocument(exchange) === null) return false
  const extra = otherField(exchange, type, [field])
  run.ledger.expect('sparse-fieldsets-additional-fields', extra === undefined, {
    problem: `${responded(exchange)} with the field '${extra}', which was not requested.`,
    exchange,
  })
  return extra === undefined
}

function otherField({ document }: Exchange, type: string, allowed: readonly string[]): string | undefined {
  return primaryResources(document)
    .filter((resource) => resource.type === type)
    .flatMap(fieldNames)
    .find((name) => !allowed.includes(name))
}

async function checkEmpty(url: string, type: string, run: Run): Promise<void> {
  const exchange = await probe(run, withQuery(url, { [`fields[${type}]`]: '' }))
  if (exchange === null) return
  const isRead = dataDocument(exchange) !== null
  const extra = isRead ? otherField(exchange, type, []) : undefined
  run.ledger.expect('sparse-fieldsets-empty', isRead && extra === undefined, {
    problem: isRead ? `${responded(exchange)} with the field '${extra}'.` : `${responded(exchange)}, not 200.`,
    exchange,
  })
}

/** Checks that names are case-sensitive. */
async function checkCase(url: string, type: string, field: string, run: Run): Promise<void> {
  const upper = field.toUpperCase()
  const other = upper === field ? field.toLowerCase() : upper
  if (other === field) return
  const exchange = await probe(run, withQuery(url, { [`fields[${type}]`]: other }))
  if (exchange === null) return
  const isShown = primaryResources(exchange.document).some(
    (resource) => resource.type === type && fieldNames(resource).includes(field),
  )
  run.ledger.expect('member-name-case', !isShown, {
    problem: `${responded(exchange)} with the field '${field}', although '${other}' was requested.`,
    exchange,
  })
}

async function checkBrackets(url: string, type: string, field: string, run: Run): Promise<void> {
  const encoded = withQuery(url, { [`fields[${type}]`]: field })
  const exchange = await probe(run, encoded.replaceAll('%5B', '[').replaceAll('%5D', ']'))
  if (exchange === null) return
  const extra = otherField(exchange, type, [field])
  run.ledger.expect('square-brackets-unencoded', dataDocument(exchange) !== null && extra === undefined, {
    problem: `${responded(exchange)} differently from the same request with encoded brackets.`,
    exchange,
  })
}
