import { spawn } from 'node:child_process'
import { platform } from 'node:process'
import type { PackageManager } from './package-manager.js'

/** The end of an installation. */
export interface Installed {
  readonly isComplete: boolean
  /** The whole output. */
  readonly output: string
}

/** Installs the packages of a directory. */
export function installPackages(manager: PackageManager, directory: string): Promise<Installed> {
  const child = spawn(manager, ['install'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows, the programs are shell scripts.
    shell: platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ isComplete: false, output: message }))
    child.once('close', (code) => resolve({ isComplete: code === 0, output: output.trim() }))
  })
}
