import type { SnapshotDifference } from '../../declare/discovery/snapshot-module.js'
import type { Output } from './command.js'

interface StaleSnapshot {
  readonly name: string
  readonly difference: SnapshotDifference
  readonly remedy: string
}

/** Prints how a directory differs from its snapshot. */
export function reportStale({ name, difference, remedy }: StaleSnapshot, output: Output): void {
  output.err(`The snapshot '${name}' is stale:`)
  for (const file of difference.added) output.err(`  - '${file}' is not in it.`)
  for (const file of difference.removed) output.err(`  - '${file}' is in it, but not in the directory.`)
  output.err(`Remedy: ${remedy}`)
}
