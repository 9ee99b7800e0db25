import { newMembers, sameTitle } from './kept-lists.js'

/** What clients of a storm know of the playlists that they have written. */
export interface Known {
  /** Titles by id, as the last answer said. */
  readonly titles: Map<string, string>
  readonly deleted: Set<string>
  /** Those about which a question was never answered. */
  readonly unsure: Set<string>
  /** Answers that no client should get. */
  readonly faults: string[]
  answered: number
}

export function knowingNothing(): Known {
  return { titles: new Map(), deleted: new Set(), unsure: new Set(), faults: [], answered: 0 }
}

const type = 'application/vnd.api+json'

/** Creates, changes, replaces and deletes playlists until nobody answers. Each client has its own. */
export async function stormAt(url: string, known: Known, tracks: number): Promise<void> {
  const send = async (method: string, path: string, body?: object): Promise<Response> => {
    const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': type } }
    const response = await fetch(`${url}${path}`, { method, ...content })
    if (response.status >= 400) known.faults.push(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const own: string[] = []

  async function create(): Promise<void> {
    const { title, members } = newMembers(tracks)
    const data = { type: 'playlists', attributes: { title }, relationships: { tracks: { data: members } } }
    const response = await send('POST', '/playlists', { data })
    const { data: created } = (await response.json()) as { data: { id: string } }
    own.push(created.id)
    known.titles.set(created.id, title)
  }

  async function change(id: string): Promise<void> {
    const { title, members } = newMembers(tracks)
    const data = { type: 'playlists', id, attributes: { title }, relationships: { tracks: { data: members } } }
    await (await send('PATCH', `/playlists/${id}`, { data })).text()
    known.titles.set(id, title)
  }

  async function replace(id: string): Promise<void> {
    const members = sameTitle(known.titles.get(id) ?? '', tracks)
    await (await send('PATCH', `/playlists/${id}/relationships/tracks`, { data: members })).text()
  }

  async function remove(id: string): Promise<void> {
    await send('DELETE', `/playlists/${id}`)
    own.splice(own.indexOf(id), 1)
    known.titles.delete(id)
    known.deleted.add(id)
  }

  for (;;) {
    const id = own.at(Math.floor(Math.random() * own.length))
    const chance = Math.random()
    try {
      if (id === undefined || chance < 0.4) await create()
      else if (chance < 0.65) await change(id)
      else if (chance < 0.85) await replace(id)
      else await remove(id)
      known.answered += 1
    } catch {
      // Nobody answers any more: whether that was still done is not known.
      if (id !== undefined) known.unsure.add(id)
      return
    }
  }
}
