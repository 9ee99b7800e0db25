import { symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { cwd } from 'node:process'
import { pathToFileURL } from 'node:url'
import { type AnyResource, BuildError, createServer, resourcesIn } from 'ashlar'
import { discover } from 'ashlar/discover'
import { memoryData } from 'ashlar/memory'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { sourceFolder } from '../support/source-folder.js'
import { albums, titleLength } from './music/resources/albums.js'
import { artists } from './music/resources/people/artists.js'

declare global {
  interface ImportMeta {
    /** Vite, which runs the tests, replaces calls of it by imports. */
    glob(pattern: string, options: { readonly eager: true }): Record<string, unknown>
  }
}

/** A module that declares one type. */
const declaring = (type: string) => `
  import { defineResource, id, model } from 'ashlar'
  export const ${type} = defineResource('${type}', { model: model('${type}'), id: id() })`

const typesIn = async (folder: string) => (await discover(folder)).map(({ type }) => type)

describe('discover', () => {
  test('finds the declarations of a directory and of those below it, in the order of their paths', async () => {
    const folder = sourceFolder({
      'tracks.js': declaring('tracks'),
      'people/writers.mjs': declaring('writers'),
      'people/artists.js': declaring('artists'),
      'Zines.js': declaring('zines'),
      'albums.ts': declaring('albums'),
      'labels.mts': declaring('labels'),
    })
    expect(await typesIn(folder)).toEqual(['zines', 'albums', 'labels', 'artists', 'writers', 'tracks'])
  })

  test('takes the same declarations as an import, every one once, and ignores other exports', async () => {
    const found = await discover('./music/resources', import.meta.url)
    expect(found).toEqual([albums, artists])
    expect(found[0]).toBe(albums)
    expect(Object.isFrozen(found)).toBe(true)
    const folder = sourceFolder({
      'albums.js': `${declaring('albums')}
        export default albums
        export const staffAlbums = albums.with({ server: 'staff' })`,
      'index.js': "export * from './albums.js'",
    })
    expect(await typesIn(folder)).toEqual(['albums', 'albums'])
  })

  test('takes a path relative to the working directory, a path relative to a module, or a URL', async () => {
    const folder = sourceFolder({ 'resources/albums.js': declaring('albums') })
    const module = pathToFileURL(join(folder, 'server.js'))
    const [first] = await discover(relative(cwd(), join(folder, 'resources')))
    for (const found of [
      await discover('resources', module.href),
      await discover('./resources/', module),
      await discover(join(folder, 'resources'), module),
      await discover(new URL('resources/', module)),
    ]) {
      expect(found).toHaveLength(1)
      expect(found[0]).toBe(first)
    }
  })

  test('ignores tests, type declarations, snapshots, and what begins with a dot or an underscore', async () => {
    const broken = 'throw new Error("must not be imported")'
    const folder = sourceFolder({
      'albums.js': declaring('albums'),
      // Compiled next to its source: the JavaScript counts.
      'albums.ts': broken,
      'albums.test.js': broken,
      'albums.spec.ts': broken,
      'albums.d.ts': broken,
      'albums.d.mts': broken,
      'all.snapshot.js': broken,
      '_base.js': broken,
      '.hidden.js': broken,
      '_old/albums.js': broken,
      '.cache/albums.js': broken,
      'node_modules/albums/index.js': broken,
      'albums.js.map': broken,
      'albums.json': '{}',
      'notes.md': broken,
    })
    expect(await typesIn(folder)).toEqual(['albums'])
  })

  test('ignores modules without declarations, which declarations may share', async () => {
    const folder = sourceFolder({
      'albums.js': `import { type } from './shared.js'\n${declaring('albums')}\nexport { type }`,
      'shared.js': "export const type = 'albums'\nexport const origin = { type, members: {} }\nexport default null",
    })
    expect(await typesIn(folder)).toEqual(['albums'])
  })

  test('follows links to files, and not to directories', async () => {
    const folder = sourceFolder({ 'real/albums.js': declaring('albums'), 'resources/artists.js': declaring('artists') })
    symlinkSync(join(folder, 'real/albums.js'), join(folder, 'resources/albums.js'))
    symlinkSync(join(folder, 'resources'), join(folder, 'resources/again'), 'junction')
    expect(await typesIn(join(folder, 'resources'))).toEqual(['albums', 'artists'])
  })

  test('rejects if there is no such directory', async () => {
    const folder = sourceFolder({ 'albums.js': declaring('albums') })
    for (const name of ['absent', 'albums.js']) {
      await expect(discover(join(folder, name))).rejects.toThrow(`There is no directory '${join(folder, name)}'.`)
    }
  })

  test('rejects if there are no declarations', async () => {
    const folder = sourceFolder({ 'shared.js': 'export const titleLength = 200' })
    await expect(discover(folder)).rejects.toThrow(`There are no declarations in '${folder}'`)
  })

  test('rejects with the path of a module that throws, and with its error as the cause', async () => {
    const folder = sourceFolder({ 'albums.js': declaring('albums'), 'labels.js': "throw new TypeError('No host.')" })
    const problem = await discover(folder).catch((thrown: unknown) => thrown)
    expect(problem).toMatchObject({
      message: `The module '${join(folder, 'labels.js')}' cannot be imported: No host.`,
      cause: expect.any(TypeError) as unknown,
    })
  })

  test('leaves duplicate declarations of a type to the build', async () => {
    const folder = sourceFolder({ 'albums.js': declaring('albums'), 'records.js': declaring('albums') })
    const resources = await discover(folder)
    expect(resources).toHaveLength(2)
    expect(() => createServer({ resources, data: memoryData() })).toThrow(BuildError)
    expect(() => createServer({ resources, data: memoryData() })).toThrow(
      "albums: is declared twice on the server 'default'.",
    )
  })

  test('does not know the types', () => {
    expectTypeOf(discover).returns.resolves.toEqualTypeOf<readonly AnyResource[]>()
  })
})

describe('resourcesIn', () => {
  test('returns the declarations of modules, every one once, with their types', () => {
    const resources = resourcesIn({
      albumsModule: { titleLength, albums },
      allModule: { artists, albums },
      sharedModule: {},
    })
    expect(resources).toEqual([albums, artists])
    expect(Object.isFrozen(resources)).toBe(true)
    expectTypeOf(resources).toEqualTypeOf<readonly (typeof albums | typeof artists)[]>()
  })

  test('takes CommonJS modules as an import makes them: the default export is the object of all exports', () => {
    const resources = resourcesIn({
      albumsModule: { default: { titleLength, albums } },
      // A default export that TypeScript has compiled to CommonJS.
      artistsModule: { __esModule: true, default: { __esModule: true, default: artists } },
      // A module that has no declarations, and not even an object.
      otherModule: { default: titleLength },
    })
    expect(resources).toEqual([albums, artists])
    expectTypeOf(resources).toEqualTypeOf<readonly (typeof albums | typeof artists)[]>()
  })

  test('takes modules without types', () => {
    const modules: Record<string, unknown> = { './albums.ts': { albums }, './none.ts': null, './text.txt': 'albums' }
    const resources = resourcesIn(modules)
    expect(resources).toEqual([albums])
    expectTypeOf(resources).toEqualTypeOf<readonly AnyResource[]>()
    const loose: Record<string, unknown> = { albums }
    expectTypeOf(resourcesIn({ loose })).toEqualTypeOf<readonly AnyResource[]>()
  })

  test('takes what Vite returns for import.meta.glob', () => {
    expect(resourcesIn(import.meta.glob('./music/resources/**/*.ts', { eager: true }))).toEqual([albums, artists])
  })

  test('throws if there are none, as when it gets declarations instead of modules', () => {
    expect(() => resourcesIn({ albums, artists })).toThrow('The modules export no declarations')
  })
})
