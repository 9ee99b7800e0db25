import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Fence } from './fences.js'
import type { BlockFile } from './type-check.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The entry files of the package, without their ending. */
const entries = readdirSync(`${root}src`)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3))

/** Declarations that examples may use without declaring them. */
const prelude = `
import { createServer, defineResource, hasMany, belongsTo, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { testClient } from 'ashlar/testing'

export interface AlbumRow { id: number; title: string; year: number; releasedAt: Date | null; artistId: number | null }
export interface ArtistRow { id: number; name: string }

export const artists = defineResource('artists', {
  model: model<ArtistRow>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().required() }),
  relations: { albums: hasMany('albums') },
})
export const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required(), releasedAt: a.dateTime().nullable() }),
  relations: { artist: belongsTo('artists') },
})
export const server = createServer({ resources: [albums, artists], data: memoryData() })
export const { handle } = server
export * as http from 'node:http'
export const client = testClient(server)
export const untitled = { data: { type: 'albums', attributes: {} } }
export declare const response: Response
`

const preludeNames = [...prelude.matchAll(/export (?:declare )?(?:const|interface|\* as) (?:\{ )?(\w+)/g)].map(
  ([, name = '']) => name,
)

/**
 * Makes modules of blocks of TypeScript, and adds the prelude. A block with imports is a module as it is. One without gets the names
 * that it uses from the package, then from the file that it documents, then from the prelude.
 */
export function exampleModules(fences: readonly Fence[]): readonly BlockFile[] {
  const modules = fences.map((fence) => ({
    location: fence.location,
    path: `${fence.location.replaceAll(/[/:]/g, '-')}.ts`,
    text: moduleOf(fence),
  }))
  return [{ location: 'prelude', path: 'prelude.ts', text: prelude }, ...modules]
}

function moduleOf({ text, location }: Fence): string {
  if (/^import /m.test(text)) return `${text}\nexport {}\n`
  const source = /^src\/(.*):/.exec(location)?.[1] ?? null
  const imports = new Map<string, string>()
  for (const name of preludeNames) imports.set(name, importOf(name, './prelude.js', /^[A-Z]/.test(name)))
  if (source !== null) {
    for (const [name, isType] of ownExports(source))
      imports.set(name, importOf(name, `${root}src/${source.replace(/\.ts$/, '.js')}`, isType))
  }
  for (const entry of entries) {
    for (const [name, isType] of entryExports(entry))
      imports.set(name, importOf(name, entry === 'index' ? 'ashlar' : `ashlar/${entry}`, isType))
  }
  const needed = [...imports].filter(([name]) => mentions(text, name) && !declares(text, name)).map(([, line]) => line)
  return `${needed.join('\n')}\nexport async function example(): Promise<void> {\n${text}\n}\n`
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![.\\w'])${name}(?![\\w'])(?!:)`).test(text)
}

function declares(text: string, name: string): boolean {
  return new RegExp(`(?:const|let|function|class|interface|type|enum) ${name}\\b`).test(text)
}

function importOf(name: string, from: string, isType: boolean): string {
  return `import ${isType ? 'type ' : ''}{ ${name} } from '${from}'`
}

/** The names that an entry file of the package re-exports, and whether each is only a type. */
function entryExports(entry: string): readonly (readonly [string, boolean])[] {
  const text = readFileSync(`${root}src/${entry}.ts`, 'utf8')
  return [...text.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, allTypes, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => [name.replace(/^type /, ''), allTypes !== undefined || name.startsWith('type ')] as const),
  )
}

function ownExports(source: string): readonly (readonly [string, boolean])[] {
  const text = readFileSync(`${root}src/${source}`, 'utf8')
  const declaration = /^export (?:async |abstract )?(function|const|class|interface|type) (\w+)/gm
  return [...text.matchAll(declaration)].map(([, kind, name = '']) => [name, kind === 'interface' || kind === 'type'])
}
