import { fileURLToPath } from 'node:url'
import { createClient } from '@ashlar/client'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import type { Api } from '../../examples/music/src/api.js'
import { chromiumPath, openBrowser } from '../support/browser.js'
import { type MusicService, musicServices } from '../support/music-service.js'
import { type ScenarioName, scenarios } from './ashlar-scenarios.js'
import { observedMusic, type SeenRequest } from './observed-music.js'

type ResultOf<Name extends ScenarioName> = Awaited<ReturnType<(typeof scenarios)[Name]>>

/** A test: its title, and the expected result and requests of the scenario with its name. */
type Checks = {
  readonly [Name in ScenarioName]: {
    readonly title: string
    readonly check: (result: ResultOf<Name>, seen: readonly SeenRequest[]) => void
  }
}

const checks: Checks = {
  list: {
    title: 'reads a list with include, fields, filter, sort, page and counts',
    check({ data, total }, seen) {
      expect(data.map(({ title }) => title)).toEqual(['Kid A', 'OK Computer'])
      const [album] = data
      expect(album?.artist).toEqual({ type: 'artists', id: '1', name: 'Radiohead' })
      expect(album?.tracks.map(({ title }) => title)).toEqual(['Everything in Its Right Place', 'Idioteque'])
      expect(album?.$counts).toEqual({ tracks: 2 })
      expect(total).toBeGreaterThan(1)
      expectTypeOf(album?.tracks[0]?.playlists[0]).toExtend<{ readonly title: string } | undefined>()
      expect(linesOf(seen)).toContain(
        'GET /albums?include=artist,tracks.playlists&fields[artists]=name&fields[playlists]=title' +
          '&filter[title]=k&filter[releasedAt][min]=1990-01-01&sort=-releasedAt&page[number]=1&page[size]=2&withCount=tracks,_self_',
      )
    },
  },
  filters: {
    title: 'filters by lists of values, values with commas, empty lists, and without a value',
    check(found, seen) {
      expect(linesOf(seen).slice(-3)).toEqual([
        'GET /albums?filter[id][]=1&filter[id][]=2&filter[tracks]=true',
        'GET /tracks?filter[genres][]=art+rock,+slow&filter[genres][]=jazz&filter[explicit]=false',
        'GET /albums?filter[id][]=',
      ])
      expect(found).toBe(0)
    },
  },
  get: {
    title: 'reads one resource, with identifiers if nothing is included, and its ETag',
    check({ data, etag, ...rest }) {
      expect(data).toMatchObject({
        type: 'albums',
        id: '1',
        title: 'OK Computer',
        artist: { type: 'artists', id: '1' },
      })
      expect(data).not.toHaveProperty('tracks')
      expect(etag).toMatch(/^"/)
      expect(rest).toEqual({ hasLink: true, hasOwnLink: true, other: undefined })
    },
  },
  getIfChanged: {
    title: 'gets 304 for what it has already',
    check: (result) => expect(result).toEqual([null, 'OK Computer']),
  },
  first: {
    title: 'reads the one that a singular filter finds, or null',
    check: (result) => expect(result).toEqual(['Björk', null, 1]),
  },
  tree: {
    title: 'reads a tree that can be cloned, in which a resource at one place is one object',
    check({ data, clone, isOne }) {
      expect(clone).toEqual(data)
      expect(data[0]?.artist?.albums?.[0]?.type).toBe('albums')
      expect(isOne).toBe(true)
    },
  },
  pages: {
    title: 'reads all rows over all pages of every strategy',
    check({ all, rows, pages }) {
      const count = Math.ceil(all.length / 4)
      expect(rows).toEqual({ page: all, cursor: all, offset: all })
      expect(pages).toEqual({ page: count, cursor: count, offset: count })
    },
  },
  neighbours: {
    title: 'reads the next page and the previous one',
    check({ artist, first, back, before, byParameters, last }) {
      expect(artist).toEqual(expect.any(String))
      expect(back).toEqual(first)
      expect(before).toBeNull()
      expect(byParameters).toEqual([...first, ...last])
    },
  },
  related: {
    title: 'reads members of relations and their linkage, over all pages, with the fields of join rows',
    check({ size, position, lastArtist, artist, tracksOfAlbum, linkage, position1, each, pages, eachLinked, all }) {
      expect([position, artist, position1]).toEqual([size, 'Radiohead', 1])
      expect(lastArtist).toEqual(expect.any(String))
      expect(linkage).toEqual({ type: 'artists', id: '1' })
      expect(all.length).toBeGreaterThan(1)
      expect(tracksOfAlbum).toBe(all.length)
      expect({ each, eachLinked }).toEqual({ each: all, eachLinked: all })
      expect(pages).toBe(all.length)
    },
  },
  severalTypes: {
    title: 'reads members of several types, each with its own relations',
    check: (result) =>
      expect(result).toEqual([
        ['Kind of Blue', 'Miles Davis'],
        ['bjork', 'Homogenic'],
        ['number', 'Miles Davis'],
      ]),
  },
  writes: {
    title: 'creates, changes with a version, and deletes',
    check: (result) =>
      expect(result).toEqual({
        made: [201, 'Radiohead'],
        explicit: true,
        stale: 412,
        minimal: [204, null],
        deleted: 204,
        missing: true,
      }),
  },
  fieldErrors: {
    title: 'has errors by the fields that they are about',
    check({ refused, query }) {
      expect(refused.status).toBe(422)
      expect(refused.paths).toEqual(expect.arrayContaining(['title', 'releaseInfo.label']))
      expect(refused.message).toBe(refused.errors[0]?.detail)
      expect([query.status, query.paths]).toEqual([400, ['page[after]']])
    },
  },
  pivotErrors: {
    title: 'has errors by the fields of join rows, also in batches',
    check: (result) =>
      expect(result).toEqual([['0.$pivot.position'], ['orderedTracks.0.$pivot.position'], ['1.0.$pivot.position']]),
  },
  relationships: {
    title: 'adds, removes and replaces members of relationships',
    check({ before, added, removed, status, artist }) {
      expect(added).toContainEqual({ type: 'tracks', id: '8', $pivot: expect.objectContaining({ position: 9 }) })
      expect(removed).toEqual(before)
      expect([200, 204]).toContain(status)
      expect(artist).toEqual({ type: 'artists', id: '2' })
    },
  },
  actions: {
    title: 'calls actions with a document, with bytes, and on the collection',
    check({ reissued, artwork, picture, summary, restored }, seen) {
      expect(reissued).toMatchObject({ type: 'albums', title: 'OKNOTOK' })
      expect(artwork).toBe(204)
      expect(picture).toEqual({ mediaType: 'image/png', text: 'x' })
      expect(seen.map(({ contentType }) => contentType)).toContain('image/png')
      expect(summary).toHaveProperty('byStatus')
      expect(restored).toMatchObject({ label: 'Radio' })
    },
  },
  batch: {
    title: 'sends a batch whose later steps use the resources of earlier ones',
    check({ artist, album, deleted, paths }) {
      expect(artist.name).toBe('Thom Yorke')
      expect(album.artist).toEqual({ type: 'artists', id: artist.id })
      expect(deleted).toBeNull()
      expect(paths).toEqual(['1.title'])
    },
  },
  job: {
    title: 'waits for a job, which redirects to its result',
    check({ seen, ...rest }) {
      expect(rest).toEqual({ status: 202, retryAfter: 1, type: 'imports' })
      expect(seen.length).toBeGreaterThan(0)
    },
  },
  key: {
    title: 'writes once, if it repeats a write with the same key',
    check: ([first, second]) => expect(second).toBe(first),
  },
  ends: {
    title: 'ends when its signal or its time is up',
    check: (result) => expect(result).toEqual(['AbortError', 'TimeoutError']),
  },
}

const names = Object.keys(checks) as ScenarioName[]
const tests = names.map((name) => ({ name, title: checks[name].title }))

/** The requests of the client, without preflight requests of browsers. */
function linesOf(seen: readonly SeenRequest[]): readonly string[] {
  return seen.map(({ line }) => line).filter((line) => !line.startsWith('OPTIONS '))
}

function check<Name extends ScenarioName>(name: Name, result: unknown, seen: readonly SeenRequest[]): void {
  checks[name].check(result as ResultOf<Name>, seen)
}

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Returns a script that defines `ashlar.run` on a page. */
async function pageScript(): Promise<string> {
  const build = await rolldown({
    input: path('ashlar-page.ts'),
    platform: 'browser',
    resolve: { alias: { '@ashlar/client': path('../../src/client.ts') } },
  })
  const { output } = await build.generate({ format: 'iife', name: 'ashlar' })
  await build.close()
  return output[0].code
}

/** An origin that may read responses of the example. No server is there: the browser gets the page from the test. */
const pageOrigin = 'http://localhost:5173'

const isSkipped = chromiumPath === null
const where = `on a page of another origin${isSkipped ? ' (skipped: Chromium is not installed, such as the Debian package chromium)' : ''}`

describe('@ashlar/client', () => {
  let browser: Browser | undefined
  let script: string
  beforeAll(async () => {
    if (isSkipped) return
    ;[browser, script] = await Promise.all([openBrowser(), pageScript()])
  })
  afterAll(() => browser?.close())

  describe.each(musicServices)('on %s', (_engine, open) => {
    let service: MusicService | undefined
    const music = observedMusic(() => {
      service = open()
      return service
    })
    const work = async (jobId: number): Promise<void> => service?.work(jobId)

    describe('in Node.js', () => {
      it.each(tests)('$title', async ({ name }) => {
        check(name, await scenarios[name]({ client: createClient<Api>({ url: music.url }), work }), music.seen)
      })
    })

    describe.skipIf(isSkipped)(where, () => {
      let page: Page
      beforeAll(async () => {
        page = (await browser?.newPage()) ?? expect.fail('there is no browser')
        page.setDefaultTimeout(0)
        await page.route(`${pageOrigin}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '' }))
        await page.exposeFunction('work', work)
        await page.goto(`${pageOrigin}/`)
        await page.addScriptTag({ content: script })
      })
      afterAll(() => page.close())

      it.each(tests)('$title', async ({ name }) => {
        const call = `ashlar.run(${JSON.stringify(name)}, ${JSON.stringify(music.url)})`
        check(name, await page.evaluate(call), music.seen)
      })
    })
  })
})
