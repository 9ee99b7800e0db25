// @ts-check
/**
 * Uses the package as a stranger would: packs it, installs the tarball in a bare project, and there imports what needs no
 * database library; adds those, imports every subpath of `exports` with node, keeps rows in SQLite, and type-checks a small
 * consumer under both ways of resolving modules. Reads dist/: build first.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exit } from 'node:process'
import ts from 'typescript'
import { compiler, linkFromRoot, makeProject, peers, runErrors } from './project.mjs'
import { pulledErrors } from './pulled.mjs'
import { starterErrors } from './starter.mjs'

const work = mkdtempSync(join(tmpdir(), 'integration-'))
let failures = 0
try {
  const project = makeProject(work)
  report('bare.mjs', runErrors(project, ['bare.mjs']))
  linkFromRoot(project, [...peers, '@types/express'])
  const nodenext = programOf(project, 'NodeNext', 'nodenext')
  report('types, nodenext', typeErrors(project, nodenext))
  report('types, bundler', typeErrors(project, programOf(project, 'ESNext', 'bundler')))
  writeFileSync(join(project, 'expected.json'), JSON.stringify(declaredValues(project, nodenext)))
  for (const script of ['imports.mjs', 'bundled.mjs', 'side-effects.mjs', 'serves.mjs', 'stores.mjs']) {
    report(script, runErrors(project, [script]))
  }
  linkFromRoot(project, ['@types/pg'])
  for (const engine of ['sqlite', 'postgres']) {
    report(`create-ashlar, ${engine}`, await starterErrors({ project, engine, compiler }))
  }
  report('ashlar pull', await pulledErrors({ project, compiler }))
} finally {
  rmSync(work, { recursive: true, force: true })
}
exit(failures === 0 ? 0 : 1)

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
  const ours = program.getSourceFiles().filter(({ fileName }) => !/\/node_modules\/(?!@?ashlar\/)/.test(fileName))
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

/** @param {string} name @param {string} errors */
function report(name, errors) {
  console.log(`${errors === '' ? '✓' : '✗'} ${name}`)
  if (errors === '') return
  failures += 1
  console.error(errors)
}
