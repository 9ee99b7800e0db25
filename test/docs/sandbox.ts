import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { inject } from 'vitest'
import { manifestOf } from '../../src/tools/cli/package-file.js'
import { toolVersions } from '../../src/tools/cli/tool-versions.js'
import { installPackages } from '../support/built-package.js'
import { killProgram, type Program, startProgram } from '../support/program.js'

/** A folder like a user's, with the package installed, compiled from the current sources. */
export interface Sandbox {
  /** Writes a TypeScript file as the JavaScript that it becomes. */
  write(name: string, text: string): void
  /** Compiles the TypeScript files of a folder to another one. */
  compile(from: string, to: string): void
  /** Returns the text of a file. */
  text(name: string): string
  /** Runs a file with node. */
  run(name: string, options?: RunOptions): Running
  /** Ends running programs and removes the folder. */
  remove(): Promise<void>
}

export interface RunOptions {
  /** The whole environment of the program, in addition to the path. */
  readonly environment?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** The working directory, in the folder. Default: the folder. */
  readonly directory?: string
}

export interface Running extends Program {
  /** The address that it prints when it listens; rejects with its output if it ends before. */
  readonly address: Promise<string>
}

export function sandbox(): Sandbox {
  const folder = mkdtempSync(join(inject('runFolder'), 'sandbox-'))
  installPackages(folder)
  // The packages are found around the folder. Commands read which ones a project has.
  const dependencies = { ...manifestOf('ashlar').peerDependencies, ...toolVersions, ashlar: '*', '@ashlar/cli': '*' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
  // A clone of the repository, with the packed packages.
  mkdirSync(join(folder, 'clone'))
  const { version } = manifestOf('ashlar')
  for (const name of ['ashlar', 'ashlar-cli']) writeFileSync(join(folder, `clone/${name}-${version}.tgz`), '')
  const started: Program[] = []
  return {
    write: (name, text) => writeModule(join(folder, name), text),
    compile(from, to) {
      for (const { name, text } of sourcesIn(join(folder, from))) writeModule(join(folder, to, name), text)
    },
    text: (name) => readFileSync(join(folder, name), 'utf8'),
    run(name, { environment = {}, args = [], directory = '.' } = {}) {
      const file = join(folder, name.replace(/\.ts$/, '.js'))
      const program = startProgram(file, { args, environment, cwd: join(folder, directory) })
      started.push(program)
      const address = program.printed(/http:\/\/[\w.]+:\d+(?=\D)/).then(([found]) => found)
      // Tests do not read the address of every program.
      address.catch(() => undefined)
      return { ...program, address }
    },
    async remove() {
      await Promise.all(started.map(killProgram))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Every TypeScript file of a folder, with its relative path. */
export function sourcesIn(folder: string): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

function writeModule(path: string, text: string): void {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path.replace(/\.ts$/, '.js'), ts.transpileModule(text, { compilerOptions }).outputText)
}
