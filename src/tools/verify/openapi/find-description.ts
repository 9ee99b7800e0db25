import { readFile } from 'node:fs/promises'
import type { Exchange } from '../exchange/exchange.js'
import { type Description, readDescription } from './description.js'

/** Names that OpenAPI documents often have, below the URL of a server. */
const usualNames: readonly string[] = ['docs.json', 'openapi.json', 'swagger.json']

export interface FindSettings {
  /** The URL of the server. */
  readonly url: string
  /** A URL or the path of a file, as the user gives it; `null` to look for one. */
  readonly given: string | null
  /** The link `describedby` of a document; `null` if there is none. */
  readonly linked: string | null
  readonly read: (url: string) => Promise<Exchange | null>
}

/** Thrown if there is no OpenAPI document at the location that the user has given. */
export class DescriptionError extends Error {
  override readonly name = 'DescriptionError'
}

/** Finds the OpenAPI document of a server. Resolves to `null` if there is none. */
export async function findDescription(settings: FindSettings): Promise<Description | null> {
  const { url, given, linked, read } = settings
  if (given !== null) return givenDescription(given, settings)
  const base = url.endsWith('/') ? url : `${url}/`
  const guesses = usualNames.map((name) => new URL(name, base).href)
  for (const source of linked === null ? guesses : [linked]) {
    const description = readDescription((await read(source))?.document, { source, url })
    if (description !== null) return description
  }
  return null
}

async function givenDescription(given: string, { url, read }: FindSettings): Promise<Description> {
  const isUrl = /^https?:\/\//.test(given)
  const document = isUrl ? (await read(given))?.document : jsonIn(await readFile(given, 'utf8'), given)
  const description = readDescription(document, { source: given, url })
  if (description !== null) return description
  throw new DescriptionError(`'${given}' is no OpenAPI document in JSON.`)
}

function jsonIn(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new DescriptionError(`'${path}' is no OpenAPI document in JSON.`, { cause })
  }
}
