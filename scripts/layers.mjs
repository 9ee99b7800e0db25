// @ts-check
/**
 * Checks that src/ has wings, and that their folders form layers: a folder imports only folders above it in layers.json, of its own wing or
 * of a wing above it. Siblings on one line never import each other, no file imports an entry file, and there are no import cycles.
 * The subfolders of a folder form layers if `within` lists them. Type imports count, too.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

// `import` would take a second longer: see engine-names.mjs.
/** @type {typeof import('typescript')} */
const ts = createRequire(import.meta.url)('typescript')

/**
 * @typedef {object} Layers
 * @property {Readonly<Record<string, readonly (readonly string[])[]>>} wings  for each wing, the highest first, lines of folders, the highest first; `.` represents the files directly in it
 * @property {Readonly<Record<string, readonly string[]>>} [never]  what a wing or a folder must not import, although it is above it: wings, or folders such as `core/util`
 * @property {Readonly<Record<string, readonly string[]>>} [only]  the only wings or folders that a wing or a folder may import
 * @property {Readonly<Record<string, readonly (readonly string[])[]>>} [within]  layers of the subfolders of a folder
 *
 * @typedef {object} Violation
 * @property {string} file  relative to the checked folder's parent
 * @property {string} imports  the specifier, the cycle, or the folder
 * @property {'unknown-folder' | 'entry-file' | 'upward' | 'sibling' | 'never' | 'only' | 'cycle' | 'outside' | 'unresolved'} rule
 * @property {string} advice
 *
 * @typedef {{ specifier: string, target: string }} Import
 */

/**
 * @param {string} root  the folder with the layers, usually src/
 * @param {Layers} layers
 * @returns {Violation[]}
 */
export function findViolations(root, layers) {
  const files = sourceFiles(root)
  const graph = new Map(files.map((file) => [file, importsOf(root, file)]))
  /** @type {Violation[]} */
  const violations = unknownFolders(root, files, layers)
  for (const [file, imports] of graph) {
    for (const entry of imports) {
      const fault = judge(root, layers, file, entry)
      if (fault) violations.push({ file: show(root, file), imports: entry.specifier, ...fault })
    }
  }
  return [...violations, ...cycles(root, graph)]
}

/** @param {string} root @returns {string[]} */
function sourceFiles(root) {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?ts$/.test(name))
    .map((name) => join(root, name))
    .toSorted()
}

/**
 * Returns relative imports of all kinds: static, type-only, re-export, `import('…')` as a call and as a type.
 * @param {string} root @param {string} file @returns {Import[]}
 */
function importsOf(root, file) {
  const scan = ts.preProcessFile(readFileSync(file, 'utf8'), true, true)
  const specifiers = new Set(scan.importedFiles.map((found) => found.fileName))
  return [...specifiers]
    .filter((specifier) => specifier.startsWith('.') || /^ashlar(\/|$)/.test(specifier))
    .map((specifier) => ({ specifier, target: targetOf(root, file, specifier) }))
}

/** @param {string} root @param {string} file @param {string} specifier @returns {string} */
function targetOf(root, file, specifier) {
  // The name of the package refers to an entry file.
  if (!specifier.startsWith('.')) return join(root, `${specifier.split('/')[1] ?? 'index'}.ts`)
  // A file for browsers that is imported as text: see raw-texts.mjs.
  if (specifier.endsWith('?raw')) return resolve(dirname(file), specifier.slice(0, -'?raw'.length))
  return resolve(dirname(file), specifier).replace(/\.([cm]?)js$/, '.$1ts')
}

/** Returns all lines of the wings, with names such as `core/util`. @param {Layers} layers @returns {readonly (readonly string[])[]} */
function linesOf({ wings }) {
  return Object.entries(wings).flatMap(([wing, lines]) => lines.map((line) => line.map((name) => `${wing}/${name}`)))
}

/**
 * @param {string} root @param {readonly string[]} files @param {Layers} layers
 * @returns {Violation[]}
 */
function unknownFolders(root, files, layers) {
  const known = new Set(linesOf(layers).flat())
  for (const [folder, lines] of Object.entries(layers.within ?? {})) {
    for (const name of lines.flat()) known.add(`${folder}/${name}`)
  }
  const folders = new Set(files.flatMap((file) => foldersOf(root, layers, file)))
  return [...folders]
    .filter((folder) => !known.has(folder))
    .map((folder) => ({
      file: show(root, join(root, folder)),
      imports: `${folder}/`,
      rule: 'unknown-folder',
      advice: 'the folder has no layer: move the files to a known folder, or add the folder to scripts/layers.json',
    }))
}

/**
 * @param {string} root @param {Layers} layers @param {string} file @param {Import} entry
 * @returns {Pick<Violation, 'rule' | 'advice'> | null}
 */
function judge(root, layers, file, { specifier, target }) {
  const from = folderOf(root, file)
  // A text may be in any folder: it becomes part of the bundle.
  if (specifier.endsWith('?raw') && existsSync(target)) return null
  if (relative(root, target).startsWith('..')) {
    return { rule: 'outside', advice: 'src/ is published: import nothing from outside of it' }
  }
  const to = folderOf(root, target)
  if (to === null) {
    return { rule: 'entry-file', advice: 'entry files only re-export: import from the file that defines the name' }
  }
  if (!existsSync(target)) return { rule: 'unresolved', advice: 'no such file: write the path with the extension .js' }
  if (from === null) return null
  if (from !== to) return judgeOrder(linesOf(layers), from, to) ?? judgeRestrictions(layers, from, to)
  const lines = layers.within?.[from]
  const [inner, innerTarget] = [subfolderOf(root, file), subfolderOf(root, target)]
  return lines === undefined || inner === innerTarget ? null : judgeOrder(lines, inner, innerTarget)
}

/** Returns the folder of a file, and its subfolder if the subfolders form layers. @param {string} root @param {Layers} layers @param {string} file */
function foldersOf(root, layers, file) {
  const folder = folderOf(root, file)
  if (folder === null) return []
  return layers.within?.[folder] === undefined ? [folder] : [folder, `${folder}/${subfolderOf(root, file)}`]
}

/** Returns the subfolder of a file inside its layer; `.` for a file directly in it. @param {string} root @param {string} file */
function subfolderOf(root, file) {
  const parts = relative(root, file).split(sep)
  return parts.length > 3 ? (parts[2] ?? '.') : '.'
}

/**
 * @param {readonly (readonly string[])[]} lines @param {string} from @param {string} to
 * @returns {Pick<Violation, 'rule' | 'advice'> | null}
 */
function judgeOrder(lines, from, to) {
  const fromLine = lines.findIndex((line) => line.includes(from))
  const toLine = lines.findIndex((line) => line.includes(to))
  // A folder without a layer is reported once; its imports are not.
  if (fromLine === -1 || toLine === -1 || toLine < fromLine) return null
  if (toLine === fromLine) {
    return {
      rule: 'sibling',
      advice: `${from}/ and ${to}/ are on one line: move their shared code to a folder above both`,
    }
  }
  return {
    rule: 'upward',
    advice: `${to}/ is below ${from}/: move the shared code up, or pass it as a parameter`,
  }
}

/**
 * @param {Layers} layers @param {string} from @param {string} to
 * @returns {Pick<Violation, 'rule' | 'advice'> | null}
 */
function judgeRestrictions({ never = {}, only = {} }, from, to) {
  if (restrictionsOf(never, from).some((names) => names.some((name) => isIn(to, name)))) {
    return { rule: 'never', advice: `${from}/ must not import ${to}/: pass the value as a parameter` }
  }
  const allowed = restrictionsOf(only, from).find((names) => !names.some((name) => isIn(to, name)))
  if (allowed === undefined) return null
  return { rule: 'only', advice: `${from}/ may import only ${allowed.map((name) => `${name}/`).join(', ')}` }
}

/** Returns the restrictions of a folder, and of its wing. @param {Readonly<Record<string, readonly string[]>>} restrictions @param {string} folder */
function restrictionsOf(restrictions, folder) {
  return Object.entries(restrictions).flatMap(([name, names]) => (isIn(folder, name) ? [names] : []))
}

/** @param {string} folder @param {string} name  of the folder, or of its wing */
function isIn(folder, name) {
  return folder === name || folder.startsWith(`${name}/`)
}

/**
 * Finds Tarjan's strongly connected components: one violation for each component, even if it has several cycles.
 * @param {string} root @param {ReadonlyMap<string, readonly Import[]>} graph
 * @returns {Violation[]}
 */
function cycles(root, graph) {
  /** @type {Violation[]} */
  const found = []
  /** @type {Map<string, number>} */
  const index = new Map()
  /** @type {Map<string, number>} */
  const low = new Map()
  /** @type {string[]} */
  const stack = []
  /** @param {string} file */
  const visit = (file) => {
    index.set(file, index.size)
    low.set(file, index.size - 1)
    stack.push(file)
    for (const { target } of graph.get(file) ?? []) {
      if (!graph.has(target)) continue
      if (!index.has(target)) visit(target)
      else if (!stack.includes(target)) continue
      low.set(file, Math.min(Number(low.get(file)), Number(low.get(target))))
    }
    if (low.get(file) !== index.get(file)) return
    const knot = stack.splice(stack.indexOf(file))
    const importsItself = graph.get(file)?.some(({ target }) => target === file)
    if (knot.length > 1 || importsItself) found.push(cycleViolation(root, graph, knot))
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return found
}

/**
 * @param {string} root @param {ReadonlyMap<string, readonly Import[]>} graph @param {readonly string[]} knot
 * @returns {Violation}
 */
function cycleViolation(root, graph, knot) {
  const start = knot.toSorted()[0] ?? ''
  return {
    file: show(root, start),
    imports: shortestCircle(graph, start, new Set(knot))
      .map((file) => show(root, file))
      .join(' -> '),
    rule: 'cycle',
    advice: 'move the shared code to a third file that imports neither',
  }
}

/**
 * @param {ReadonlyMap<string, readonly Import[]>} graph @param {string} start @param {ReadonlySet<string>} knot
 * @returns {string[]}
 */
function shortestCircle(graph, start, knot) {
  /** @type {string[][]} */
  const paths = [[start]]
  const seen = new Set()
  for (const path of paths) {
    for (const { target } of graph.get(path.at(-1) ?? '') ?? []) {
      if (target === start) return [...path, start]
      if (!knot.has(target) || seen.has(target)) continue
      seen.add(target)
      paths.push([...path, target])
    }
  }
  return [...knot]
}

/** Returns the wing and the folder of a file, such as `core/util`; `null` for an entry file directly in the root. @param {string} root @param {string} file */
function folderOf(root, file) {
  const [wing = '', ...rest] = relative(root, file).split(sep)
  return rest.length === 0 ? null : `${wing}/${rest.length === 1 ? '.' : (rest[0] ?? '')}`
}

/** @param {string} root @param {string} file */
function show(root, file) {
  return relative(dirname(root), file).split(sep).join('/')
}

/** @param {Violation} violation */
export function describeViolation({ file, imports, rule, advice }) {
  return `${file}\n  imports  ${imports}\n  rule     ${rule}\n  remedy   ${advice}`
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../src', import.meta.url))
  const layers = JSON.parse(readFileSync(new URL('layers.json', import.meta.url), 'utf8'))
  const violations = findViolations(root, layers)
  for (const violation of violations) console.error(`${describeViolation(violation)}\n`)
  console.log(
    violations.length === 0 ? 'The layers of src/ are correct.' : `${violations.length} violation(s) of the layers.`,
  )
  exit(violations.length === 0 ? 0 : 1)
}
