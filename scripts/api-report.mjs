// @ts-check
/**
 * Compares the public types of the built packages with the reports in etc/api, one for each entry point. `--update` writes them.
 * A report has the declaration of each export, without comments. Types that exports use, and that no entry point exports, are in
 * internal.api.md. Each declaration is in one report only.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { packages } from './packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = join(root, 'etc/api')

/** The entries of all packages. The root entry comes first: its exports are printed in its report. */
const entries = packages.flatMap((each) =>
  each.entries.map((name, index) => ({
    name,
    specifier: each.specifiers[index] ?? name,
    file: join(root, each.folder, 'dist', `${name}.d.ts`),
  })),
)
/** The folders of the declarations of the packages. */
const folders = packages.map(({ folder }) => join(root, folder, 'dist/'))
const program = ts.createProgram(
  entries.map(({ file }) => file),
  { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, types: ['node'], skipLibCheck: true },
)
const checker = program.getTypeChecker()
const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed })

const current = currentReports()
if (argv.includes('--update')) update()
else compare()

/** @returns {Map<string, string>} the texts by the names of their files */
function currentReports() {
  /** The entry point in whose report a symbol is printed. @type {Map<ts.Symbol, string>} */
  const specifiers = new Map()
  /** @type {Map<string, string>} */
  const texts = new Map()
  for (const { name: entry, specifier, file } of entries) {
    const lines = exportsOf(file).map(({ name, symbol, isType }) => {
      const other = specifiers.get(symbol)
      if (other !== undefined) return `// ${name}\nexport ${isType ? 'type ' : ''}{ ${name} } from '${other}'`
      specifiers.set(symbol, specifier)
      return `// ${name}${isType ? ', only as a type' : ''}\n${declarationOf(symbol)}`
    })
    // The command line exports nothing.
    if (lines.length > 0) texts.set(`${entry}.api.md`, reportText(`\`${specifier}\``, lines))
  }
  const internal = internalSymbols([...specifiers.keys()]).map(
    (symbol) => `// ${symbol.name}\n${declarationOf(symbol)}`,
  )
  texts.set('internal.api.md', reportText('Types that exports use', internal.toSorted(byText)))
  return texts
}

/** @param {string} title @param {readonly string[]} lines */
function reportText(title, lines) {
  const advice = 'Written by `npm run api:update`. A change here is a change for users: see the upgrade policy.'
  return `# ${title}\n\n${advice}\n\n\`\`\`ts\n${lines.join('\n\n')}\n\`\`\`\n`
}

/** @param {string} file */
function exportsOf(file) {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${file} is missing: run npm run build.`)
  return checker
    .getExportsOfModule(module)
    .map((exported) => ({
      name: exported.name,
      symbol: resolved(exported),
      isType: isTypeOnly(exported),
    }))
    .toSorted((one, other) => byText(one.name, other.name))
}

/** Whether a class or a function is exported as a type only. @param {ts.Symbol} exported */
function isTypeOnly(exported) {
  const isValue = (resolved(exported).flags & ts.SymbolFlags.Value) !== 0
  return isValue && (exported.declarations ?? []).some((found) => ts.isTypeOnlyImportOrExportDeclaration(found))
}

/** Returns the symbol to which an import or an export refers. @param {ts.Symbol} symbol */
function resolved(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** Returns the symbols of the package that these exports use, directly or indirectly. @param {readonly ts.Symbol[]} exported */
function internalSymbols(exported) {
  const found = new Set(exported)
  for (const symbol of found) {
    for (const node of declarationsIn(symbol)) visit(node)
  }
  return [...found].slice(exported.length)

  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isIdentifier(node)) {
      const used = checker.getSymbolAtLocation(node)
      if (used !== undefined && isTopLevel(resolved(used))) found.add(resolved(used))
    }
    ts.forEachChild(node, visit)
  }
}

/** Whether a symbol is declared by a statement of a file of the package. @param {ts.Symbol} symbol */
function isTopLevel(symbol) {
  return declarationsIn(symbol).some((node) => {
    const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node
    return ts.isSourceFile(statement.parent) && !ts.isSourceFile(statement)
  })
}

/** @param {ts.Symbol} symbol */
function declarationsIn(symbol) {
  return (symbol.declarations ?? []).filter((node) =>
    folders.some((folder) => node.getSourceFile().fileName.startsWith(folder)),
  )
}

/** @param {ts.Symbol} symbol */
function declarationOf(symbol) {
  return declarationsIn(symbol)
    .map((node) => {
      const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node
      const deprecated = ts.getJSDocDeprecatedTag(statement) === undefined ? '' : '/** @deprecated */\n'
      const text = printer.printNode(ts.EmitHint.Unspecified, statement, node.getSourceFile())
      return deprecated + text.replace(/^export (?:declare )?|^declare /, '')
    })
    .toSorted(byText)
    .join('\n')
}

/** Compares texts independently of the locale. @param {string} one @param {string} other */
function byText(one, other) {
  return one < other ? -1 : Number(one > other)
}

function update() {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  for (const [file, text] of current) writeFileSync(join(reports, file), text)
}

function compare() {
  const stored = existsSync(reports) ? readdirSync(reports) : []
  const changes = [...new Set([...current.keys(), ...stored])].flatMap((file) => {
    const before = stored.includes(file) ? readFileSync(join(reports, file), 'utf8') : ''
    return changesBetween(file, before, current.get(file) ?? '')
  })
  if (changes.length === 0) return
  console.error(changes.join('\n\n'))
  console.error(
    '\nThe public types have changed. If that is intended, run npm run api:update, and commit etc/api with a changeset.',
  )
  exit(1)
}

/**
 * Returns the removed and added lines of each declaration.
 * @param {string} file @param {string} before @param {string} after @returns {readonly string[]}
 */
function changesBetween(file, before, after) {
  if (before === after) return []
  const [old, now] = [declarationsByName(before), declarationsByName(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => old.get(name) !== now.get(name))
    .map((name) => `etc/api/${file}: ${name}\n${changedLines(old.get(name), now.get(name))}`)
}

/** Joins declarations with the same name: several files may have a type with this name. @param {string} report */
function declarationsByName(report) {
  /** @type {Map<string, string>} */
  const found = new Map()
  for (const text of report.replace(/^```ts\n|\n```\n$/gm, '').split('\n\n')) {
    const [, name, declaration = ''] = /^\/\/ (.+)\n([^]*)$/.exec(text) ?? []
    if (name !== undefined) found.set(name, [found.get(name) ?? [], declaration].flat().join('\n'))
  }
  return found
}

/** Returns the changed lines, without equal lines at the start and at the end. @param {string} [before] @param {string} [after] */
function changedLines(before, after) {
  const old = before?.split('\n') ?? []
  const now = after?.split('\n') ?? []
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start += 1
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const removed = old.slice(start, old.length - end).map((line) => `- ${line}`)
  const added = now.slice(start, now.length - end).map((line) => `+ ${line}`)
  return [...removed, ...added].join('\n')
}
