// @ts-check
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Texts that are imported as `./viewer.js?raw`: files for browsers, which become part of the bundle.
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
