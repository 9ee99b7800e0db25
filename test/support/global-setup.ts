import type { TestProject } from 'vitest/node'
import { clearProvoked } from './provoked.js'
import { emptyFolder, makeRunFolder, removeFolder } from './run-folder.js'

/** Runs before all test files. The function that it returns runs after all of them. */
export function setup(project: TestProject): (() => void) | undefined {
  // Vitest also calls it for each project, since they extend the configuration of the root.
  if (!project.isRootProject()) return undefined
  // The error codes that this run provokes must not mix with those of the last one.
  clearProvoked()
  const runFolder = makeRunFolder()
  project.provide('runFolder', runFolder)
  // In watch mode: the sources have changed since.
  project.onTestsRerun(() => emptyFolder(runFolder))
  return () => removeFolder(runFolder)
}
