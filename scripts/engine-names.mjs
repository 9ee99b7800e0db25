// @ts-check
/**
 * Checks that only the folders of the dialects know the engines of SQL stores: elsewhere no string and no property is the name
 * of one, and no file imports from these folders, except the files that engine-names.json lists with reasons.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

// Before `import` runs a CommonJS module, it searches all of its text for the names of exports: for this one that takes a second.
/** @type {typeof import('typescript')} */
const ts = createRequire(import.meta.url)('typescript')

/** The folder that has a folder for each engine, relative to the root. */
const dialects = 'src/stores/sql/dialect'

/** The number of files that may contain names of engines. */
const mostFiles = 9

/**
 * @typedef {object} AllowedFiles
 * @property {Readonly<Record<string, string>>} names  files that contain names of engines, with reasons
 * @property {Readonly<Record<string, string>>} imports  files that import from the folders of dialects, with reasons
 *
 * @typedef {{ file: string, line: number, problem: string }} Violation
 */

/**
 * @param {string} root  the folder that contains src/
 * @param {AllowedFiles} allowed
 * @returns {readonly Violation[]}
 */
export function findEngineNames(root, allowed) {
  const engines = readdirSync(join(root, dialects), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  const own = engines.map((engine) => `${dialects}/${engine}/`)
  const used = { names: new Set(), imports: new Set() }
  /** @type {Violation[]} */
  const violations = []
  for (const file of sourceFiles(root).filter((name) => !own.some((folder) => name.startsWith(folder)))) {
    const content = readFileSync(join(root, file), 'utf8')
    // Most files mention no engine, not even in comments: parsing them would take most of the time.
    if (!engines.some((engine) => content.includes(engine))) continue
    const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true)
    for (const { kind, text, position } of uses(source, engines)) {
      used[kind].add(file)
      if (Object.hasOwn(allowed[kind], file)) continue
      const line = source.getLineAndCharacterOfPosition(position).line + 1
      const problem = kind === 'names' ? `contains the name '${text}'` : `imports '${text}'`
      violations.push({ file, line, problem: `${problem}: ask the dialect for a capability, or call a function of it` })
    }
  }
  for (const kind of /** @type {const} */ (['names', 'imports'])) {
    for (const file of Object.keys(allowed[kind]).filter((name) => !used[kind].has(name))) {
      violations.push({ file, line: 1, problem: `needs no exception: remove it from '${kind}' in engine-names.json` })
    }
  }
  const count = Object.keys(allowed.names).length
  if (count > mostFiles) {
    violations.push({
      file: 'scripts/engine-names.json',
      line: 1,
      problem: `allows ${count} files, more than ${mostFiles}`,
    })
  }
  return violations
}

/** @param {string} root @returns {readonly string[]} */
function sourceFiles(root) {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name.split(sep).join('/')}`)
    .toSorted()
}

/**
 * Returns the strings and properties that are names of engines, and the imports from their folders. Comments do not count.
 * @param {import('typescript').SourceFile} source
 * @param {readonly string[]} engines
 * @returns {readonly { kind: 'names' | 'imports', text: string, position: number }[]}
 */
function uses(source, engines) {
  /** @type {{ kind: 'names' | 'imports', text: string, position: number }[]} */
  const found = []
  /** @param {import('typescript').Node} node */
  const visit = (node) => {
    const isProperty =
      ts.isIdentifier(node) &&
      (ts.isPropertyAssignment(node.parent) || ts.isPropertySignature(node.parent)) &&
      node.parent.name === node
    if ((ts.isStringLiteralLike(node) || isProperty) && engines.includes(node.text)) {
      found.push({ kind: 'names', text: node.text, position: node.getStart(source) })
    }
    if (ts.isStringLiteralLike(node) && engines.some((engine) => node.text.includes(`dialect/${engine}/`))) {
      found.push({ kind: 'imports', text: node.text, position: node.getStart(source) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  // Files in the folder of the dialects import from a folder below.
  const below = new RegExp(`^\\./(?:${engines.join('|')})/`)
  for (const { fileName, pos } of ts.preProcessFile(source.text, true, true).importedFiles) {
    if (source.fileName.startsWith(`${dialects}/`) && below.test(fileName)) {
      found.push({ kind: 'imports', text: fileName, position: pos })
    }
  }
  return found
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const allowed = JSON.parse(readFileSync(new URL('engine-names.json', import.meta.url), 'utf8'))
  const violations = findEngineNames(root, allowed)
  for (const { file, line, problem } of violations)
    console.error(`${relative('.', join(root, file))}:${line} ${problem}`)
  const count = Object.keys(allowed.names).length
  console.log(
    violations.length === 0
      ? `Besides the dialects, ${count} files contain names of engines.`
      : `${violations.length} violation(s) of the rule about names of engines.`,
  )
  exit(violations.length === 0 ? 0 : 1)
}
