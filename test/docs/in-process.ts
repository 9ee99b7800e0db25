import { fileURLToPath } from 'node:url'
import { isBuiltin } from 'node:module'
import ts from 'typescript'
import { vi } from 'vitest'

const example = fileURLToPath(new URL('../../examples/music/src', import.meta.url))

/** The result of a block. */
export interface Ran {
  readonly printed: string
  /** The name and the message of the error that ended it. */
  readonly thrown: string | null
}

/** Runs a block of TypeScript as if it were a file next to the sources of the example, in this process. */
export async function ranBlock(text: string): Promise<Ran> {
  const modules = new Map<string, unknown>()
  for (const [, name = ''] of text.matchAll(/ from '([^']+)'/g)) modules.set(name, await import(whereIs(name)))
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...values: readonly unknown[]) => {
    printed.push(values.join(' '))
  })
  try {
    await scriptOf(text)((name) => modules.get(name), {})
    return { printed: printed.join('\n'), thrown: null }
  } catch (error) {
    return { printed: printed.join('\n'), thrown: String(error) }
  } finally {
    log.mockRestore()
  }
}

function whereIs(name: string): string {
  if (name.startsWith('./')) return `${example}/${name.slice(2)}`
  return isBuiltin(name) || /^@?ashlar(?:\/|$)/.test(name) ? name : import.meta.resolve(name)
}

type Script = (require: (name: string) => unknown, exports: object) => Promise<void>

function scriptOf(text: string): Script {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023, esModuleInterop: true }
  const { outputText } = ts.transpileModule(text, { compilerOptions })
  // A function, because modules of CommonJS know no `await` at their top.
  const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => Script
  return new AsyncFunction('require', 'exports', outputText)
}
