/** A program: the hooks of modules in the thread that Node runs them in. See `registerTypeScript`. */
import type { MessagePort } from 'node:worker_threads'
import { type ModuleHooks, moduleHooks } from './module-hooks.js'
import { availableTransform } from './transform.js'

/** The data that the thread of the application passes. */
interface HookData {
  /** Gets the paths of the files that are loaded. */
  readonly port: MessagePort
  readonly root: string
}

let hooks: ModuleHooks | null = null

/** Called by Node before the first module. */
export async function initialize({ port, root }: HookData): Promise<void> {
  hooks = moduleHooks({ root, transform: await availableTransform(), onFile: (file) => port.postMessage(file) })
}

export const resolve: ModuleHooks['resolve'] = (specifier, context, next) =>
  hooks === null ? next(specifier, context) : hooks.resolve(specifier, context, next)

export const load: ModuleHooks['load'] = (url, context, next) =>
  hooks === null ? next(url, context) : hooks.load(url, context, next)
