import { withQuery } from '../crawl/addresses.js'
import type { KnownType } from '../crawl/knowledge.js'
import { linksOf, primaryResources, type ResourceObject } from '../documents/document-links.js'
import { dataDocument, type Exchange, responded } from '../exchange/exchange.js'
import { firstPage, isSamePage, linked } from './pagination.js'
import { type Check, probe, type Run } from './run.js'

/** https://jsonapi.org/format/1.1/#fetching-sorting */
export const sorting: Check = {
  name: 'sorting',
  statements: ['sorting-order', 'sorting-specified-order', 'sorting-multiple-fields-order', 'pagination-order'],
  async run(run) {
    await Promise.all([...run.knowledge.types.values()].map((type) => checkType(type, run)))
  },
}

/** The number of attributes to check for each type. */
const enoughAttributes = 3

/** A sorted collection, with its values in their order. */
interface Sorted {
  readonly exchange: Exchange
  readonly resources: readonly ResourceObject[]
}

async function checkType(type: KnownType, run: Run): Promise<void> {
  const { collection } = type
  if (collection === null) return
  const resources = primaryResources(collection.exchange.document)
  const names = comparableNames(resources).slice(0, enoughAttributes)
  const sorted: string[] = []
  for (const name of names) {
    if (await checkAttribute(collection.url, name, run)) sorted.push(name)
  }
  const [first, second] = sorted
  if (first !== undefined && second !== undefined) await checkTwo(collection.url, [first, second], run)
}

/** Returns the attributes with different values, those whose order is known first. */
function comparableNames(resources: readonly ResourceObject[]): readonly string[] {
  const names = new Set(resources.flatMap(({ attributes }) => Object.keys(attributes)))
  return [...names]
    .map((name) => ({ name, values: resources.map(({ attributes }) => attributes[name]) }))
    .filter(({ values }) => new Set(values.filter(isScalar)).size > 1)
    .toSorted((a, b) => Number(isOrdered(b.values)) - Number(isOrdered(a.values)))
    .map(({ name }) => name)
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

/** Returns whether the attribute can be sorted by. */
async function checkAttribute(url: string, name: string, run: Run): Promise<boolean> {
  const [up, down] = await Promise.all([read(url, name, run), read(url, `-${name}`, run)])
  if (up === null || down === null) return false
  const [rising, falling] = [valuesOf(up, name), valuesOf(down, name)]
  // A server that ignores the parameter responds alike to both, which violates `sorting-not-supported`.
  if (JSON.stringify(rising) === JSON.stringify(falling)) return false
  const [isUp, isDown] = [isRising(rising), isRising(falling.toReversed())]
  if (isUp !== null && isDown !== null) {
    judge(up, isUp, 'ascending', name, run)
    judge(down, isDown, 'descending', name, run)
    if (isDown) await checkPages(down, name, run)
    return true
  }
  // The server chooses the order of texts, but one order is the reverse of the other.
  const isWhole = !isPaged(up) && !isPaged(down)
  if (isWhole && areDistinct(rising)) {
    const isReverse = JSON.stringify(rising.toReversed()) === JSON.stringify(falling)
    judge(down, isReverse, `the reverse of the order of sort=${name}`, name, run)
  }
  return true
}

/** Returns whether texts differ in every order: upper case, accents and punctuation may count or not. */
function areDistinct(values: readonly unknown[]): boolean {
  const keys = values.map((value) => {
    return typeof value === 'string'
      ? value
          .normalize('NFKD')
          .replaceAll(/[^\p{L}\p{N}]/gu, '')
          .toLowerCase()
      : ''
  })
  return !keys.includes('') && new Set(keys).size === keys.length
}

/** Checks that the next page continues the order of the first, also if its link does not show the order. */
async function checkPages({ exchange }: Sorted, name: string, run: Run): Promise<void> {
  const page = await firstPage(exchange.request.url, exchange, run)
  const next = page === null ? null : await linked(page, 'next', run)
  if (page === null || next === null) return
  const values = [page, next]
    .flatMap(({ document }) => primaryResources(document))
    .map(({ attributes }) => attributes[name])
  const isFalling = isRising(values.toReversed().map((value) => value ?? null))
  if (isFalling === null) return
  run.ledger.expect('pagination-order', isFalling && !isSamePage(page, next), {
    problem: `${responded(next)}, but it does not continue the order of the page before it, which was requested with sort=-${name}.`,
    exchange: next,
  })
}

function judge({ exchange }: Sorted, holds: boolean, order: string, name: string, { ledger }: Run): void {
  const violation = { problem: `${responded(exchange)}, but the values of '${name}' are not ${order}.`, exchange }
  ledger.expect('sorting-order', holds, violation)
  ledger.expect('sorting-specified-order', holds, violation)
}

async function read(url: string, sort: string, run: Run): Promise<Sorted | null> {
  const exchange = await probe(run, withQuery(url, { sort }))
  if (exchange === null || dataDocument(exchange) === null) return null
  return { exchange, resources: primaryResources(exchange.document) }
}

function valuesOf({ resources }: Sorted, name: string): readonly unknown[] {
  return resources.map(({ attributes }) => attributes[name] ?? null)
}

function isPaged({ exchange }: Sorted): boolean {
  return 'next' in linksOf(exchange.document)
}

/** Whether the order of values is the same on all servers: numbers, and dates of one form. */
function isOrdered(values: readonly unknown[]): boolean {
  const present = values.filter((value) => value !== null && value !== undefined)
  return present.every((value) => typeof value === 'number') || present.every(isUtcDate)
}

/** Whether a value is a date, or an instant in UTC, whose text sorts like the date. */
function isUtcDate(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{3})?(?:Z|\+00:00))?$/.test(value)
}

/** Returns whether values rise; `null` if their order is unknown. The server chooses the position of nulls. */
function isRising(values: readonly unknown[]): boolean | null {
  if (!isOrdered(values)) return null
  const present = values.filter((value) => typeof value === 'string' || typeof value === 'number')
  const isOneForm = new Set(present.map((value) => (typeof value === 'string' ? value.length : 0))).size <= 1
  if (!isOneForm) return null
  return present.every((value, index) => index === 0 || (present[index - 1] ?? value) <= value)
}

/** Checks that the second attribute orders resources with the same value of the first. */
async function checkTwo(url: string, [first, second]: readonly [string, string], run: Run): Promise<void> {
  const sorted = await read(url, `${first},${second}`, run)
  if (sorted === null) return
  const runs = new Map<string, unknown[]>()
  for (const { attributes } of sorted.resources) {
    const key = JSON.stringify(attributes[first] ?? null)
    const values = runs.get(key) ?? []
    values.push(attributes[second] ?? null)
    runs.set(key, values)
  }
  const firstRises = isRising(valuesOf(sorted, first))
  const secondRises = [...runs.values()].map(isRising)
  if (firstRises === null || secondRises.includes(null)) return
  run.ledger.expect('sorting-multiple-fields-order', firstRises && !secondRises.includes(false), {
    problem: `${responded(sorted.exchange)}, but not in the order of '${first}' first, then '${second}'.`,
    exchange: sorted.exchange,
  })
}
