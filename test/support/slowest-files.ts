import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const shown = 10

/** Prints the files that took longest, at the end of a run of many. */
export const slowestFiles: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return
    const slowest = modules
      .map((module) => ({ module, seconds: module.diagnostic().duration / 1000 }))
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, shown)
    const lines = slowest.map(({ module, seconds }) => {
      const { name, config } = module.project
      return `${seconds.toFixed(1).padStart(7)} s  ${name.padEnd(8)}  ${relative(config.root, module.moduleId)}`
    })
    console.log(`\nThe ${shown} slowest files:\n${lines.join('\n')}\n`)
  },
}
