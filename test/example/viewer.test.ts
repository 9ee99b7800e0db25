import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser } from '../support/browser.js'
import { musicServices } from '../support/music-service.js'

interface ShownDocument {
  // oxlint-disable-next-line typescript/no-explicit-any -- The tests compare its members.
  readonly data?: any
  readonly included?: readonly { readonly type: string }[]
  readonly errors?: readonly object[]
}

async function send(block: Locator): Promise<{ readonly status: string; readonly document: ShownDocument }> {
  await block.locator('.execute').click()
  const response = block.locator('.live-responses-table')
  const status = await response.locator('tbody .response-col_status').first().innerText()
  return {
    status: status.trim(),
    document: JSON.parse(await response.locator('.highlight-code pre').first().innerText()),
  }
}

const byText = (one: string, other: string): number => (one < other ? -1 : 1)

/** The document of a new playlist. */
function body(attributes: object): string {
  return JSON.stringify({ data: { type: 'playlists', attributes } })
}

const title =
  chromiumPath === null
    ? 'the viewer in a browser (skipped: Chromium is not installed, such as the Debian package chromium)'
    : 'the viewer in a browser'

const [, open] = musicServices.find(([engine]) => engine === 'SQLite') ?? []

describe.skipIf(chromiumPath === null || open === undefined)(title, () => {
  const music = open?.()
  let browser: Browser
  let page: Page
  let url: string
  /** The reports of the browser: violations of the content policy, and errors of scripts. */
  const reports: string[] = []
  /** The requests that arrive at the service. */
  const requests: { readonly line: string; readonly accept: string }[] = []

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  beforeEach(async () => {
    const service = music ?? expect.fail('there is no service')
    const { url: address } = await service.listen((request) => {
      const query = request.query === '' ? '' : `?${decodeURIComponent(request.query)}`
      requests.push({ line: `${request.method} ${request.path}${query}`, accept: request.header('accept') ?? '' })
      return service.handle(request)
    })
    url = address
    page = await browser.newPage()
    page.setDefaultTimeout(0)
    page.on('pageerror', ({ message }) => reports.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) reports.push(message.text())
    })
    reports.length = 0
    requests.length = 0
  })
  afterEach(async () => {
    await page.close()
    expect(reports).toEqual([])
  })

  const operation = (method: string, path: string) =>
    page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) })

  /** Opens an operation for requests. */
  async function tryOut(tag: string, method: string, path: string): Promise<Locator> {
    const block = operation(method, path)
    if (!(await block.isVisible())) await page.locator(`#operations-tag-${tag}`).click()
    await block.locator('.opblock-summary-control').click()
    await block.locator('.try-out__btn').click()
    return block
  }

  async function authorize(token: string): Promise<void> {
    await page.locator('.auth-wrapper .authorize').first().click()
    await page.getByLabel('auth-bearer-value').fill(token)
    await page.locator('.auth-btn-wrapper .authorize').click()
    await page.locator('.auth-btn-wrapper .btn-done').click()
  }

  test('lists the operations, sends filters, includes, pages and profiles as the service reads them, and creates a resource', async () => {
    await page.goto(`${url}/docs`)
    await authorize('dev-alice')
    expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(10)
    const block = await tryOut('Catalog', 'get', '/albums')
    const input = (name: string) => block.locator(`tr[data-param-name="${name}"]`).locator('input, select').last()
    await input('filter[title]').fill('ok')
    await input('filter[rating][min]').fill('1')
    await input('page[size]').fill('2')
    await input('include').selectOption(['artist', 'tracks'])
    await input('fields[artists]').selectOption(['name'])
    await input('withCount').selectOption(['tracks'])
    await input('relatedQuery').fill('[tracks][sort]=-title&[tracks][page][size]=1')
    const { status, document } = await send(block)
    expect(document).toMatchObject({ data: [{ type: 'albums', attributes: { title: 'OK Computer' } }] })
    expect(status).toBe('200')
    const included = document.included?.map(({ type }) => type)
    expect([...new Set(included)].toSorted(byText)).toEqual(['artists', 'tracks'])
    const { line, accept } = requests.at(-1) ?? {}
    expect(line?.split(/[?&]/).toSorted(byText)).toEqual(
      [
        'GET /albums',
        'filter[title]=ok',
        'filter[rating][min]=1',
        'page[size]=2',
        'include=artist,tracks',
        'fields[artists]=name',
        'withCount=tracks',
        'relatedQuery[tracks][sort]=-title',
        'relatedQuery[tracks][page][size]=1',
      ].toSorted(byText),
    )
    expect(accept).toMatch(/^application\/vnd\.api\+json; profile="\S+countable\S* \S+relationship-queries\S*"$/)
    await createPlaylist()
  })

  /** Creates a resource, and sees errors with their pointers. On the same page: to load it takes most of the time of a test. */
  async function createPlaylist(): Promise<void> {
    const block = await tryOut('Library', 'post', '/playlists')
    await block.locator('textarea.body-param__text').fill(body({ title: '' }))
    const refused = await send(block)
    expect(refused.status).toBe('422')
    expect(refused.document.errors).toEqual([
      expect.objectContaining({ source: { pointer: '/data/attributes/title' } }),
    ])
    await block.locator('textarea.body-param__text').fill(body({ title: 'Sunday' }))
    await block.locator('.btn-clear').click()
    const created = await send(block)
    expect(created.status).toBe('201')
    expect(created.document.data.attributes.title).toBe('Sunday')
    const read = await music?.api.get(`/playlists/${created.document.data.id}`)
    expect(read?.status).toBe(200)
  }

  test('shows the description of a protected server to callers who may read it', async () => {
    await page.goto(`${url}/admin/docs`)
    const token = page.getByLabel('Token (bearer)')
    await token.fill('dev-alice')
    await page.getByRole('button', { name: 'Read the documentation' }).click()
    await page.getByText('does not accept these credentials (status 403)').waitFor()
    expect(await page.locator('.opblock-tag').count()).toBe(0)
    await token.fill('dev-admin')
    await page.getByRole('button', { name: 'Read the documentation' }).click()
    const block = await tryOut('Users', 'get', '/users')
    // Swagger UI knows the token already.
    const { status, document } = await send(block)
    expect([status, document.data.length]).toEqual(['200', 3])
    expect(requests.at(-1)?.line).toBe('GET /admin/users')
  })

  test('lists types and relations, in light and dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${url}/docs#type-tracks`)
    const list = page.locator('ul.types')
    await list.waitFor()
    expect(await list.locator('> li').count()).toBe(17)
    const colour = () =>
      list
        .locator('> li')
        .first()
        .evaluate((item) => item.ownerDocument.defaultView.getComputedStyle(item).borderTopColor)
    const dark = await colour()
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await colour()).not.toBe(dark)
    await list.getByRole('link', { name: 'albums' }).first().click()
    expect(await page.locator('#type-albums').getByText('filter[rating][min]').isVisible()).toBe(true)
    await page.getByRole('tab', { name: 'Operations' }).click()
    expect(await page.locator('.opblock-tag').first().isVisible()).toBe(true)
  })
})
