import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const shown = 10

/** Prints the files and the folders that took longest, at the end of a run of many. */
export const slowestFiles: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return
    const files = modules.map((module): Taken => {
      const { name, config } = module.project
      return [`${name.padEnd(8)}  ${relative(config.root, module.moduleId)}`, module.diagnostic().duration / 1000]
    })
    const folders = new Map<string, number>()
    for (const [name, seconds] of files) {
      const [folder = ''] = /^\S+ +test\/[^/]+/.exec(name) ?? []
      folders.set(folder, (folders.get(folder) ?? 0) + seconds)
    }
    print('files', files)
    print('folders', [...folders])
  },
}

type Taken = readonly [name: string, seconds: number]

function print(what: string, all: readonly Taken[]): void {
  const lines = all
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, shown)
    .map(([name, seconds]) => `${seconds.toFixed(1).padStart(7)} s  ${name}`)
  console.log(`\nThe slowest ${what}, with the time that they waited:\n${lines.join('\n')}\n`)
}
