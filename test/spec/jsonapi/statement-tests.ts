import { readdirSync, readFileSync } from 'node:fs'

/** A test of statements, as read from its source. */
export interface StatementTest {
  readonly file: string
  readonly ids: readonly string[]
  readonly sentence: string
}

/** Returns the tests of a folder that call `statement()`. They are read from the sources, so that no test has to run. */
export function statementTests(folder: URL): readonly StatementTest[] {
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
