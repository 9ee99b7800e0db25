import { readdirSync, readFileSync } from 'node:fs'

/** A test of statements, as its source tells it. */
export interface ToldStatement {
  readonly file: string
  readonly ids: readonly string[]
  readonly sentence: string
}

/** The tests of a folder by what they call `statement()` with: of the sources, so that none has to run for it. */
export function toldStatements(folder: URL): readonly ToldStatement[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  return files.flatMap((file) => {
    const source = readFileSync(new URL(file, folder), 'utf8')
    return [...source.matchAll(/^ *statement\(\s*(\[[^\]]*\]|'[^']*'),\s*(?:'([^']*)'|"([^"]*)")/gm)].map(
      ([, ids = '', single, double]) => ({
        file,
        ids: [...ids.matchAll(/'([^']*)'/g)].map(([, id = '']) => id),
        sentence: single ?? double ?? '',
      }),
    )
  })
}
