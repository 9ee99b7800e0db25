import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleModules } from './example-module.js'
import { examplesIn } from './fences.js'
import { type PageDatabase, pageDatabase } from './page-database.js'
import { followPage, pageModules } from './page-run.js'
import { documentationPages, isAboutCatalogue, pageFences } from './pages.js'
import { type Sandbox, sandbox, sourcesIn } from './sandbox.js'
import { type BlockErrors, typeErrors } from './type-check.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const pages = ['README.md', ...documentationPages.filter((page) => !isAboutCatalogue(page))]

const examples = [
  ...pages.flatMap(pageFences).filter(({ language, info }) => language === 'ts' && info['file'] === undefined),
  ...sourcesIn(join(root, 'src')).flatMap(({ name, text }) => examplesIn(text, `src/${name}`)),
]
const followed = pages.filter((page) => pageFences(page).some(({ info }) => info['file'] !== undefined))

let errors: BlockErrors = {}
beforeAll(async () => {
  const inPages = followed.flatMap((page) => pageModules(pageFences(page)))
  errors = await typeErrors([...exampleModules(examples), ...inPages])
})

describe('every example compiles', () => {
  test.each(['prelude', ...examples.map(({ location }) => location)])('%s', (location) => {
    expect(errors[location]).toEqual([])
  })
})

describe('the output on a page is the real output', () => {
  let folder: Sandbox
  let database: PageDatabase
  beforeAll(() => {
    folder = sandbox()
    database = pageDatabase()
  })
  afterAll(async () => {
    await folder.remove()
    await database.end()
  })

  test('the language of declarations and the settings: every module builds a server', async () => {
    const modules = ['declaration-language', 'attributes', 'relations', 'filters-and-sorts', 'settings']
      .flatMap((name) => pageFences(`docs/reference/${name}.md`))
      .filter(({ text }) => text.startsWith('import '))
    for (const [index, { text }] of modules.entries()) folder.write(`declaring/${index}.ts`, text)
    folder.write('declaring/all.ts', buildEach(modules.length))
    const running = folder.run('declaring/all.ts')
    expect({ code: await running.ended, ...running.output() }).toMatchObject({ code: 0, stderr: '' })
  })

  test.each(followed)('%s', (page) => followPage(pageFences(page), { folder, database, errors }))
})

test.each(['music', 'web'])('examples/%s/README.md names files and folders that exist', (example) => {
  const folder = join(root, 'examples', example)
  const rows = readFileSync(join(folder, 'README.md'), 'utf8').match(/^\| `.*/gm) ?? []
  const named = rows.flatMap((row) =>
    [...row.matchAll(/`([\w/-]+(?:(?:\.d)?\.tsx?|\/))`/g)].map(([, name = '']) => name),
  )
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !existsSync(join(folder, 'src', name)))).toEqual([])
})

/** A module that makes a server of every declaration which the numbered modules export and do not serve themselves. */
function buildEach(count: number): string {
  return `
    import { createServer } from 'ashlar'
    import { memoryData } from 'ashlar/memory'
    for (let index = 0; index < ${count}; index += 1) {
      const { server, ...declared } = await import('./' + index + '.js')
      if (server === undefined) createServer({ resources: Object.values(declared), data: memoryData() })
    }`
}
