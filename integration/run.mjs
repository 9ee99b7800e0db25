// @ts-check
/**
 * Uses the package as a stranger would: packs it, installs the tarball in a bare project, and there imports what needs no
 * database library; adds those, imports every subpath of `exports` with node, keeps rows in SQLite, and type-checks a small
 * consumer under both ways of resolving modules. Reads dist/: build first.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { exit, execPath, platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { starterErrors } from './starter.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** @type {string[]} */
const specifiers = Object.keys(manifest.exports)
  .filter((subpath) => !subpath.endsWith('.json'))
  .map((subpath) => `${manifest.name}${subpath.slice(1)}`)

const work = mkdtempSync(join(tmpdir(), 'integration-'))
let failures = 0
try {
  const project = join(work, 'project')
  makeProject(project, [pack(root, work), pack(join(root, 'packages/create-ashlar'), work)])
  report('bare.mjs', runErrors(project, 'bare.mjs'))
  linkFromRoot(project, [...Object.keys(manifest.peerDependencies), '@types/express'])
  const nodenext = programOf(project, 'NodeNext', 'nodenext')
  report('types, nodenext', typeErrors(project, nodenext))
  report('types, bundler', typeErrors(project, programOf(project, 'ESNext', 'bundler')))
  writeFileSync(join(project, 'expected.json'), JSON.stringify(declaredValues(project, nodenext)))
  for (const script of ['imports.mjs', 'bundled.mjs', 'side-effects.mjs', 'serves.mjs', 'stores.mjs']) {
    report(script, runErrors(project, script))
  }
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  linkFromRoot(project, ['@types/pg'])
  for (const engine of ['sqlite', 'postgres']) {
    report(`create-ashlar, ${engine}`, await starterErrors({ project, engine, compiler }))
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
exit(failures === 0 ? 0 : 1)

/** @param {string} source @param {string} folder @returns {string} the tarball's path */
function pack(source, folder) {
  const answer = npm(source, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder)
  const [packed] = JSON.parse(answer)
  console.log(`${packed.filename}: ${packed.files.length} files, ${Math.ceil(packed.size / 1024)} kB`)
  return join(folder, packed.filename)
}

/** @param {string} project @param {readonly string[]} tarballs */
function makeProject(project, tarballs) {
  cpSync(join(root, 'integration/consumer'), project, { recursive: true })
  const own = { name: 'consumer', version: '1.0.0', private: true, type: 'module' }
  writeFileSync(join(project, 'package.json'), JSON.stringify(own))
  npm(project, 'install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', ...tarballs)
  linkFromRoot(project, ['@types/node'])
  writeFileSync(join(project, 'specifiers.json'), JSON.stringify(specifiers))
  writeFileSync(
    join(project, 'every-subpath.ts'),
    specifiers.map((specifier, index) => `export * as subpath${index} from '${specifier}'\n`).join(''),
  )
}

/**
 * What the declarations lean on, without asking a registry for it.
 * @param {string} project @param {readonly string[]} names
 */
function linkFromRoot(project, names) {
  for (const name of names) {
    const target = join(root, 'node_modules', name)
    const link = join(project, 'node_modules', name)
    if (!existsSync(target) || existsSync(link)) continue
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link, 'junction')
  }
}

/** @param {string} project @param {string} module @param {string} moduleResolution */
function programOf(project, module, moduleResolution) {
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      target: 'ES2023',
      lib: ['ES2023'],
      module,
      moduleResolution,
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      declaration: true,
      noEmit: true,
    },
    project,
  )
  return ts.createProgram(ts.sys.readDirectory(project, ['.ts'], ['node_modules']), options)
}

/**
 * Those in the declarations of other packages are not ours to mend, and take most of the time to look for.
 * @param {string} project @param {import('typescript').Program} program @returns {string}
 */
function typeErrors(project, program) {
  const ours = program.getSourceFiles().filter(({ fileName }) => !/\/node_modules\/(?!ashlar\/)/.test(fileName))
  const own = ts.sortAndDeduplicateDiagnostics(ours.flatMap((file) => ts.getPreEmitDiagnostics(program, file)))
  return ts.formatDiagnostics(own, {
    getCurrentDirectory: () => project,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  })
}

/**
 * The values that the declarations promise, by specifier: `true` for what can be called or constructed.
 * @param {string} project @param {import('typescript').Program} program
 * @returns {Record<string, Record<string, boolean>>}
 */
function declaredValues(project, program) {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(join(project, 'every-subpath.ts'))
  /** @type {Record<string, Record<string, boolean>>} */
  const expected = {}
  for (const statement of source?.statements ?? []) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) continue
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier)
    /** @type {Record<string, boolean>} */
    const values = {}
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      // A class that is exported as a type is no value.
      if (symbol.declarations?.some((found) => ts.isTypeOnlyImportOrExportDeclaration(found))) continue
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      if (!(target.flags & ts.SymbolFlags.Value)) continue
      const type = checker.getTypeOfSymbol(target)
      values[symbol.name] = type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0
    }
    expected[/** @type {import('typescript').StringLiteral} */ (statement.moduleSpecifier).text] = values
  }
  return expected
}

/** @param {string} project @param {string} script @returns {string} */
function runErrors(project, script) {
  try {
    execFileSync(execPath, [script], { cwd: project, encoding: 'utf8', stdio: 'pipe', timeout: 300_000 })
    return ''
  } catch (error) {
    // The message of a failed child carries what it wrote to stderr.
    const { message, stdout } = /** @type {Error & { stdout?: string }} */ (error)
    return [message, stdout].join('\n')
  }
}

/** @param {string} name @param {string} errors */
function report(name, errors) {
  console.log(`${errors === '' ? '✓' : '✗'} ${name}`)
  if (errors === '') return
  failures += 1
  console.error(errors)
}

/** @param {string} cwd @param {...string} words */
function npm(cwd, ...words) {
  return execFileSync('npm', words, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: platform === 'win32',
  })
}
