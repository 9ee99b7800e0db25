// @ts-check
/** Receives and compares the responses of servers. */
import assert from 'node:assert/strict'

/** @typedef {import('./workloads.mjs').Request} Request */
/** @typedef {{ status: number, headers: Record<string, string | null>, document: any }} ReceivedResponse */

/** Cursors and ports differ between servers. They are not compared. */
const cursor = /page(?:%5B|\[)(after|before)(?:%5D|\])=[^"&]*/g

/** @param {number} port @param {Request} request @returns {Promise<ReceivedResponse>} without parts that differ by server */
export async function receivedResponse(port, request) {
  const response = await send(port, request)
  const plain = (/** @type {string | null} */ text) => text?.replaceAll(`:${port}`, '').replaceAll(cursor, 'page[$1]=…')
  return {
    status: response.status,
    headers: Object.fromEntries(
      ['content-type', 'vary', 'location'].map((name) => [
        name,
        withoutCallers(plain(response.headers.get(name)) ?? null),
      ]),
    ),
    document: JSON.parse(plain(await response.text()) || 'null'),
  }
}

/**
 * Follows links.next to the page that starts at a row.
 * @param {number} port @param {Request} request @param {number} row
 * @returns {Promise<Request>}
 */
export async function deepRequest(port, request, row) {
  let path = request.path
  for (let begin = 0; begin < row; ) {
    const { data, links } = /** @type {any} */ (await (await send(port, { ...request, path })).json())
    if (typeof links.next !== 'string') throw new Error(`There is no page after row ${begin}.`)
    begin += data.length
    const next = new URL(links.next, `http://127.0.0.1:${port}`)
    path = next.pathname + next.search
  }
  return { ...request, path }
}

/** @param {number} port @param {Request} request */
function send(port, { method, path, body, headers }) {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Accept: 'application/vnd.api+json', ...headers },
    ...(body === undefined ? {} : { body }),
  })
}

/** @param {ReceivedResponse} one @param {ReceivedResponse} other @returns {string | null} the difference */
export function differenceOf(one, other) {
  return difference(one, other)
}

/**
 * Compares the response of another framework: only the primary data, and the included resources if the request includes any.
 * @param {ReceivedResponse} one @param {ReceivedResponse} other
 * @returns {string | null} the difference
 */
export function differenceOfData(one, other) {
  const [its, ours] = [essence(one), essence(other)]
  return difference(ours.included.length === 0 ? { ...its, included: [] } : its, ours)
}

/** @param {ReceivedResponse} response */
function essence({ status, document }) {
  /** @type {string[]} */
  const included = (document?.included ?? []).map((/** @type {any} */ { type, id }) => `${type} ${id}`)
  if (document?.data == null) return { status, primary: document, included }
  const primary = Array.isArray(document.data) ? withoutOrderOfTies(document.data.map(bare)) : bare(document.data)
  return { status, primary, included: included.toSorted() }
}

/** Sorts albums with the same instant, because the request does not define their order. @param {readonly ReturnType<typeof bare>[]} resources */
function withoutOrderOfTies(resources) {
  const instants = resources.map(({ attributes }) => attributes['releasedAt'])
  const rankOf = (/** @type {ReturnType<typeof bare>} */ { attributes }) => instants.indexOf(attributes['releasedAt'])
  return resources.toSorted((one, other) => rankOf(one) - rankOf(other) || Number(one.id) - Number(other.id))
}

/** @param {any} resource @returns {{ type: string, id: string, attributes: Record<string, unknown> }} */
function bare({ type, id, attributes }) {
  const values = Object.entries(attributes ?? {}).map(([name, value]) => [
    name,
    instant.test(`${value}`) ? at(value) : value,
  ])
  return { type, id: String(id), attributes: Object.fromEntries(values) }
}

const instant = /^\d{4}-\d\d-\d\dT/

/** Parses an instant, because servers format instants differently. @param {unknown} value */
function at(value) {
  return new Date(String(value)).toISOString()
}

/** @param {unknown} one @param {unknown} other */
function difference(one, other) {
  try {
    assert.deepEqual(one, other)
    return null
  } catch (thrown) {
    return /** @type {Error} */ (thrown).message
  }
}

/** Removes `Authorization` from `Vary`, which only servers with authentication send. @param {string | null} value */
function withoutCallers(value) {
  return value?.replace(/, Authorization$/, '') ?? null
}
