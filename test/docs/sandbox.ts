import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A folder like a user's, with the package installed, compiled from the sources as they are. */
export interface Sandbox {
  /** Writes a TypeScript file as the JavaScript that it becomes. */
  write(name: string, text: string): void
  /** Runs a file with node. The environment holds nothing of the tests' own but the path. */
  run(name: string, environment?: Readonly<Record<string, string>>, words?: readonly string[]): Running
  /** Ends what still runs and removes the folder. */
  remove(): Promise<void>
}

export interface Running {
  readonly process: ChildProcess
  /** What it has written so far. */
  output(): { readonly stdout: string; readonly stderr: string }
  /** The address that it prints when it listens; rejects with what it wrote when it ends before. */
  readonly address: Promise<string>
  /** Its exit code. */
  readonly ended: Promise<number | null>
}

export function sandbox(): Sandbox {
  const cache = join(root, 'node_modules/.cache/ashlar')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'sandbox-'))
  const installed = join(folder, 'node_modules/ashlar')
  transpileFolder(join(root, 'src'), join(installed, 'dist'))
  cpSync(join(root, 'package.json'), join(installed, 'package.json'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const started: Running[] = []
  return {
    write: (name, text) => writeModule(join(folder, name), text),
    run(name, environment = {}, words = []) {
      const running = start(folder, [name.replace(/\.ts$/, '.js'), ...words], environment)
      started.push(running)
      return running
    },
    async remove() {
      for (const { process } of started) if (process.exitCode === null) process.kill('SIGKILL')
      await Promise.all(started.map(({ ended }) => ended))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Every TypeScript file of a folder, with its place in it. */
export function sourcesIn(folder: string): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

function transpileFolder(from: string, to: string): void {
  for (const { name, text } of sourcesIn(from)) writeModule(join(to, name), text)
}

function writeModule(path: string, text: string): void {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path.replace(/\.ts$/, '.js'), ts.transpileModule(text, { compilerOptions }).outputText)
}

function start(folder: string, words: readonly string[], environment: Readonly<Record<string, string>>): Running {
  const child = spawn(execPath, words, {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(() => child.exitCode)
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [found] = /http:\/\/[\w.]+:\d+/.exec(stdout) ?? []
      if (found !== undefined) resolve(found)
    })
    void ended.then(() => reject(new Error(`${words[0]} ended without an address:\n${stdout}${stderr}`)))
  })
  // Not everything that runs is asked for its address.
  address.catch(() => undefined)
  return { process: child, output: () => ({ stdout, stderr }), address, ended }
}
