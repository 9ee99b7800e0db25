import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'
import { client } from '../../scripts/packages.mjs'

test('the published files for browsers import no module of Node', async () => {
  const folder = mkdtempSync(join(inject('runFolder'), 'client-'))
  await bundle(folder)
  const dist = join(folder, client.folder, 'dist')
  expect(client.entries.flatMap((name) => importsOf(join(dist, `${name}.js`)))).toEqual([])
})

/** Returns all imports of a file, and their imports, except files of the package. */
function importsOf(file: string): readonly string[] {
  const found = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b.*?["']([^"']+)["'];$/gm)]
  return found.flatMap(([, specifier = '']) =>
    specifier.startsWith('.') ? importsOf(join(file, '..', specifier)) : [specifier],
  )
}
