import type { RequestContext } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import type { TestRequestOptions, TestResponse } from 'ashlar/testing'
import { expect } from 'vitest'
import { client } from '../support/client.js'
import type { recordShop } from '../support/record-shop.js'
import { sqlWorld } from '../support/sql-world.js'

/** The record shop on stores that cache their results, with callers that a header distinguishes. */

const seeds = {
  labels: [
    { id: 1, name: 'Parlophone' },
    { id: 2, name: 'One Little Independent' },
  ],
  artists: [
    { id: 1, name: 'Radiohead', labelId: 1 },
    { id: 2, name: 'Björk', labelId: 2 },
    { id: 3, name: 'Burial', labelId: null },
  ],
  albums: [
    { id: 1, title: 'OK Computer', artistId: 1, producerId: 3 },
    { id: 2, title: 'Kid A', artistId: 1, producerId: 1 },
    { id: 3, title: 'Homogenic', artistId: 2, producerId: 2 },
    { id: 4, title: 'Untrue', artistId: 3, producerId: 3 },
  ],
  tracks: [
    { id: 1, title: 'Airbag', albumId: 1 },
    { id: 2, title: 'Paranoid Android', albumId: 1 },
    { id: 3, title: 'Idioteque', albumId: 2 },
    { id: 4, title: 'Jóga', albumId: 3 },
    { id: 5, title: 'Archangel', albumId: 4 },
  ],
}

/** Join rows, where a test wants some. */
type MoreRows = Readonly<Record<string, readonly Readonly<Record<string, number>>[]>>

export const stores: readonly (readonly [name: string, open: (more?: MoreRows) => DataSource])[] = [
  ['memory', (more = {}) => memoryData({ ...seeds, ...more })],
  ['SQLite', (more = {}) => sqlWorld('sqlite', { ...seeds, ...more })],
]

export type Declared = NonNullable<Parameters<typeof recordShop>[0]>

export const isStaff = (context: RequestContext | null): boolean => context?.request?.header('x-staff') === 'yes'
export const isStranger = (context: RequestContext | null): boolean => !isStaff(context)

type Headers = NonNullable<TestRequestOptions['headers']>

const callers = { stranger: {}, staff: { 'x-staff': 'yes' } } as const

type Caller = keyof typeof callers

/** The requests to each of two servers after its first response, in both orders: a response must not depend on another caller. */
const rounds = [
  ['staff', 'stranger', 'staff'],
  ['stranger', 'staff', 'stranger'],
] as const

/** A response as a text, to the byte. */
export function comparableResponse({ status, headers, text }: TestResponse): string {
  return `${status} ${headers.get('content-type')} ${text}`
}

/**
 * Sends the same requests to two servers for both callers by turns, one of them for strangers first and one for staff, and expects
 * every response to equal the first one of that caller.
 */
export async function expectEvaluatedAgain(
  build: () => ReturnType<typeof recordShop>,
  paths: readonly string[],
  sent: Headers = {},
): Promise<void> {
  const servers = [build(), build()] as const
  const send = async (server: (typeof servers)[number], path: string, caller: Caller, validate = false) =>
    comparableResponse(await client(server, { validate }).get(path, { headers: { ...sent, ...callers[caller] } }))
  for (const path of paths) {
    const expected = {
      stranger: await send(servers[0], path, 'stranger', true),
      staff: await send(servers[1], path, 'staff', true),
    }
    // Else the question shows nothing.
    expect(expected.staff, path).not.toBe(expected.stranger)
    for (const [index, server] of servers.entries()) {
      for (const caller of rounds[index] ?? []) {
        expect(await send(server, path, caller), `${path} for ${caller}`).toBe(expected[caller])
      }
    }
  }
}
