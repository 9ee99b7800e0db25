import module from 'node:module'
import { cwd, setSourceMapsEnabled } from 'node:process'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { programUrl } from '../package-file.js'
import { moduleHooks } from './module-hooks.js'
import { availableTransform } from './transform.js'

/** Returns the files of the application that were loaded since the last call, without those of packages. */
export type TakeLoadedFiles = () => readonly string[]

/** Lets this process import TypeScript files. Stack traces then contain the positions in these files. */
export async function registerTypeScript(): Promise<TakeLoadedFiles> {
  setSourceMapsEnabled(true)
  return 'registerHooks' in module ? registerInThread(module as HookingModule) : registerThread()
}

/** `node:module` of Node 22.15 and later. */
interface HookingModule {
  readonly registerHooks: (hooks: object) => void
}

async function registerInThread({ registerHooks }: HookingModule): Promise<TakeLoadedFiles> {
  let loaded: string[] = []
  const transform = await availableTransform()
  registerHooks(moduleHooks({ root: cwd(), transform, onFile: (file) => loaded.push(file) }))
  return () => {
    const files = loaded
    loaded = []
    return files
  }
}

/** Versions before 22.15 run hooks in a separate thread. */
function registerThread(): TakeLoadedFiles {
  const { port1, port2 } = new MessageChannel()
  port1.unref()
  const data = { port: port2, root: cwd() }
  module.register(programUrl('tools/cli/typescript/hooks-thread.js'), { data, transferList: [port2] })
  return () => {
    const files: string[] = []
    for (let sent = receiveMessageOnPort(port1); sent !== undefined; sent = receiveMessageOnPort(port1)) {
      files.push(sent.message as string)
    }
    return files
  }
}
