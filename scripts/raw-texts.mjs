// @ts-check
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Bundles files for browsers that are imported as text: `./viewer.js?raw`.
 * @returns {import('rolldown').Plugin}
 */
export function rawTexts() {
  const ending = /\?raw$/
  return {
    name: 'raw-texts',
    resolveId(specifier, importer = '') {
      return ending.test(specifier) ? resolve(dirname(importer), specifier) : null
    },
    load(id) {
      if (!ending.test(id)) return null
      return {
        code: `export default ${JSON.stringify(readFileSync(id.replace(ending, ''), 'utf8'))}`,
        moduleType: 'js',
      }
    },
  }
}
