import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { server } from '../../examples/music/src/described.js'
import { chromiumPath, openBrowser } from '../support/browser.js'
import { servedWebPage, violations, type WebPage } from './web-page.js'

test('the contract of examples/web is up to date', () => {
  const written = readFileSync(new URL('../../examples/web/src/api.d.ts', import.meta.url), 'utf8')
  expect(`${server.contract('default').trimEnd()}\n`, 'Run `npm run contract`.').toBe(written)
})

const title =
  chromiumPath === null
    ? 'the web example in a browser (skipped: Chromium is not installed, such as the Debian package chromium)'
    : 'the web example in a browser'

describe.skipIf(chromiumPath === null)(title, () => {
  let web: WebPage
  let browser: Browser
  let context: BrowserContext
  let page: Page
  /** The reports of the browser: errors of scripts, and requests that it has refused to send. */
  const reports: string[] = []

  beforeAll(async () => {
    ;[web, browser] = await Promise.all([servedWebPage(), openBrowser()])
    // 4 albums exist already.
    await web.others.atomic((batch) =>
      Array.from({ length: 21 }, (_, index) =>
        batch.create('albums', {
          attributes: { title: `Volume ${10 + index}`, releasedAt: `${2001 + index}-05-01T00:00:00Z` },
          relationships: { artist: { type: 'artists', id: '3' } },
        }),
      ),
    )
  })
  afterAll(async () => {
    await browser?.close()
    await web?.close()
  })

  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1000, height: 900 }, reducedMotion: 'reduce' })
    page = await context.newPage()
    page.setDefaultTimeout(0)
    page.on('pageerror', ({ message }) => reports.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) reports.push(message.text())
    })
    reports.length = 0
  })
  afterEach(async () => {
    await context.close()
    expect(reports).toEqual([])
  })

  const field = (label: string): Locator => page.getByLabel(label, { exact: true })
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
  const heading = (name: string): Locator => page.getByRole('heading', { name, exact: true })
  const titles = (): Promise<string[]> => page.locator('tbody th a').allInnerTexts()
  const query = (): string => decodeURIComponent(new URL(page.url()).search)
  const focused = (): Promise<string> => page.locator(':focus').evaluate((element) => element.id || element.innerText)
  /** Waits until one of the live regions of the page has a text. */
  const announced = (text: string): Promise<void> => page.getByRole('status').getByText(text, { exact: true }).waitFor()
  const errorAt = async (label: string): Promise<string> => {
    const ids = (await field(label).getAttribute('aria-describedby')) ?? ''
    const texts = await Promise.all(ids.split(' ').map((id) => page.locator(`[id="${id}"]`).innerText()))
    return `${await field(label).getAttribute('aria-invalid')} ${texts.join('')}`
  }

  async function signIn(token: string, search = ''): Promise<void> {
    await page.goto(`${web.url}/${search}`)
    await field('Token').fill(token)
    await button('Sign in').click()
  }

  /** Opens the form of a new album with an artist. */
  async function openNewAlbum(attributes: { readonly title: string }): Promise<string> {
    const { data } = await web.others.types.albums.create({
      attributes: { ...attributes, releasedAt: '1997-05-21T00:00:00Z' },
      relationships: { artist: { type: 'artists', id: '1' } },
    })
    await signIn('dev-alice', `?album=${data.id}`)
    await button('Save').waitFor()
    return data.id
  }

  test('signs in with a token, refuses a wrong one at its input, and signs out', async () => {
    await signIn('wrong')
    await page.getByText('does not accept this token').waitFor()
    expect(await errorAt('Token')).toMatch(/^true .*The service does not accept this token\.$/)
    expect(await focused()).toBe(await field('Token').getAttribute('id'))
    expect(await violations(page)).toEqual([])
    await field('Token').fill('dev-alice')
    await page.keyboard.press('Enter')
    await announced('25 albums')
    await page.reload()
    await announced('25 albums')
    await button('Sign out').click()
    await heading('Music catalogue').waitFor()
    await page.reload()
    await field('Token').waitFor()
  })

  test('asks for a token again when the service refuses it', async () => {
    await signIn('dev-alice')
    await announced('25 albums')
    await page.evaluate("sessionStorage.setItem('token', 'expired')")
    await button('Next page').click()
    await page.getByRole('alert').getByText('Your session has ended.').waitFor()
    expect(await field('Token').inputValue()).toBe('')
  })

  test('lists albums with their artists, in an order, page by page', async () => {
    await signIn('dev-alice')
    await announced('25 albums')
    expect(await titles()).toHaveLength(10)
    expect(await page.getByRole('row', { name: /OK Computer/ }).innerText()).toMatch(
      /Radiohead\s+May 21, 1997\s+Released/,
    )
    expect(await button('Previous page').isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    const first = await titles()
    await button('Next page').click()
    await page.getByText('Volume 16').waitFor()
    expect(await focused()).toBe('Albums')
    expect(query()).toMatch(/^\?after=/)
    await page.reload()
    await page.getByText('Volume 16').waitFor()
    await button('Next page').click()
    await page.getByText('Volume 30').waitFor()
    expect(await titles()).toHaveLength(5)
    expect(await button('Next page').isDisabled()).toBe(true)
    await button('Previous page').click()
    await page.getByText('Volume 16').waitFor()
    await button('Previous page').click()
    await page.getByText('Homogenic').waitFor()
    expect(await titles()).toEqual(first)
    await button('Released').click()
    await button('Released').click()
    await page.getByText('Volume 30').waitFor()
    expect(await page.getByRole('columnheader', { name: 'Released' }).getAttribute('aria-sort')).toBe('descending')
    expect(query()).toBe('?sort=-releasedAt')
  })

  test('filters by title, artist and year, in the address too', async () => {
    await signIn('dev-alice')
    await announced('25 albums')
    await field('Title').pressSequentially('vol')
    await announced('21 albums')
    await field('Title').pressSequentially('ume 2')
    await announced('10 albums')
    expect(query()).toBe('?title=volume+2')
    // Text that was typed together is one step of the history.
    await page.goBack()
    await announced('25 albums')
    expect(await field('Title').inputValue()).toBe('')
    await page.goForward()
    await announced('10 albums')
    await field('Year').fill('2012')
    await announced('1 album')
    await page.reload()
    await announced('1 album')
    expect(await titles()).toEqual(['Volume 21'])
    await field('Year').fill('')
    await announced('10 albums')
    const artist = page.getByRole('combobox', { name: 'Artist' })
    await artist.pressSequentially('BJ')
    await page.getByRole('option', { name: 'Björk' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await announced('No album matches these filters.')
    await field('Title').fill('')
    await announced('1 album')
    expect(query()).toBe('?artist=2')
    await page.reload()
    await announced('1 album')
    expect(await artist.inputValue()).toBe('Björk')
    // Arrows show all artists, and Tab changes nothing.
    await artist.press('ArrowDown')
    await page.getByRole('option', { name: 'Radiohead' }).waitFor()
    await page.keyboard.press('Tab')
    expect([await artist.inputValue(), query()]).toEqual(['Björk', '?artist=2'])
    await artist.fill('')
    await page.keyboard.press('Tab')
    await announced('25 albums')
  })

  test('shows at the input that only the admin may use a filter', async () => {
    await signIn('dev-alice')
    await announced('25 albums')
    await field('Status').selectOption('Upcoming')
    await page.getByRole('alert').getByText('The albums cannot be shown.').waitFor()
    expect(await errorAt('Status')).toBe('true Only an admin may filter by this.')
    await button('Show all albums').click()
    await announced('25 albums')
    await button('Sign out').click()
    await signIn('dev-admin', '?status=upcoming')
    await announced('21 albums')
  })

  test('shows errors at the fields, and saves what is right', async () => {
    const id = await openNewAlbum({ title: 'Amnesiac' })
    expect(await focused()).toBe('Amnesiac')
    expect(await field('Artist').inputValue()).toBe('Radiohead')
    await field('Title').fill('')
    await field('Available from').fill('2024-02-01')
    await field('Available until').fill('2024-01-01')
    await field('Label').fill('x'.repeat(121))
    await button('Save').click()
    await page.getByText('This must not be empty.').waitFor()
    expect(await errorAt('Title')).toBe('true This must not be empty.')
    expect(await errorAt('Available until')).toBe("true This must be greater than 'availableFrom'.")
    expect(await errorAt('Label')).toBe('true This must have at most 120 characters.')
    expect(await errorAt('Available from')).toBe('false ')
    expect(await focused()).toBe(await field('Title').getAttribute('id'))
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page)).toEqual([])
    await field('Title').fill('Amnesiac (2001)')
    await field('Available until').fill('2025-01-01')
    await field('Label').fill('Parlophone')
    await field('Artist').fill('mil')
    await page.getByRole('option', { name: 'Miles Davis' }).click()
    await field('Released (UTC)').fill('2001-05-30T12:30')
    await field('Explicit').check()
    await button('Save').click()
    await announced('Saved.')
    const { data } = await web.others.types.albums.get(id)
    expect(data).toMatchObject({
      title: 'Amnesiac (2001)',
      releasedAt: '2001-05-30T12:30:00+00:00',
      explicit: true,
      availableUntil: '2025-01-01',
      releaseInfo: { label: 'Parlophone', catalogueNumber: null },
      artist: { type: 'artists', id: '3' },
    })
    await page.getByRole('link', { name: 'Back to the albums' }).click()
    await page.getByRole('row', { name: /Amnesiac \(2001\) Explicit Miles Davis/ }).waitFor()
    expect(await focused()).toBe('Albums')
    await web.others.types.albums.delete(id)
  })

  test('shows both versions after a concurrent change, and saves the chosen values', async () => {
    const id = await openNewAlbum({ title: 'Hail' })
    const read = async () => (await web.others.types.albums.get(id)).data
    const choice = (name: string, side: 'Yours' | 'Theirs'): Locator =>
      page.getByRole('group', { name, exact: true }).getByRole('radio', { name: new RegExp(`^${side}`) })

    await web.others.types.albums.update(id, {
      attributes: { title: 'Hail!', explicit: true, availableFrom: '2024-01-01' },
    })
    await field('Title').fill('Hail to the Thief')
    await field('Label').fill('Parlophone')
    await button('Save').click()
    await heading('Somebody else has changed this album').waitFor()
    expect(await focused()).toBe('Somebody else has changed this album')
    expect(await page.getByRole('group').allInnerTexts()).toEqual([
      'Title\nYours\nHail to the Thief\nTheirs\nHail!',
      'Explicit\nYours\nNo\nTheirs\nYes',
      'Available from\nYours\n(empty)\nTheirs\n2024-01-01',
      'Label\nYours\nParlophone\nTheirs\n(empty)',
    ])
    // Fields that the user has not changed have the other version by default.
    expect([await choice('Title', 'Yours').isChecked(), await choice('Explicit', 'Theirs').isChecked()]).toEqual([
      true,
      true,
    ])
    expect(await violations(page)).toEqual([])
    await choice('Title', 'Theirs').check()
    await choice('Available from', 'Yours').check()
    await button('Save what is chosen').click()
    await announced('Saved.')
    expect(await read()).toMatchObject({
      title: 'Hail!',
      explicit: true,
      availableFrom: null,
      releaseInfo: { label: 'Parlophone' },
    })

    // Another client again, also while the user decides.
    await web.others.types.albums.update(id, { attributes: { title: 'Theirs 1' } })
    await field('Title').fill('Mine')
    await button('Save').click()
    await heading('Somebody else has changed this album').waitFor()
    await web.others.types.albums.update(id, { attributes: { title: 'Theirs 2' } })
    await button('Overwrite with yours').click()
    await page.getByText('Theirs 2').last().waitFor()
    expect((await read()).title).toBe('Theirs 2')
    await button('Overwrite with yours').click()
    await announced('Saved.')
    expect((await read()).title).toBe('Mine')

    await web.others.types.albums.update(id, { attributes: { title: 'Last' } })
    await field('Title').fill('Lost')
    await button('Save').click()
    await button('Keep theirs').click()
    await announced('Their version is kept.')
    expect([await field('Title').inputValue(), (await read()).title]).toEqual(['Last', 'Last'])
    await web.others.types.albums.delete(id)
  })

  test('shows errors that belong to no field', async () => {
    const id = await openNewAlbum({ title: 'Gone' })
    const refuse = (status: number) =>
      page.route(`**/albums/${id}*`, (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status, headers: { 'Access-Control-Allow-Origin': web.url }, body: '' })
          : route.continue(),
      )
    await refuse(403)
    await field('Title').fill('Mine')
    await button('Save').click()
    const problem = page.getByRole('alert')
    await problem.waitFor()
    expect(await problem.innerText()).toMatch(/^The album is not saved\.\s+You are not allowed to do this\.$/)
    await page.unrouteAll()
    await web.others.types.albums.delete(id)
    await button('Save').click()
    await problem.getByText('It does not exist, or not any more.').waitFor()
    expect(await field('Title').inputValue()).toBe('Mine')
  })
})
