import { basename, dirname, join } from 'node:path'
import { declarationFiles, isDirectory } from '../../declare/discovery/declaration-files.js'
import { snapshotCommand, snapshotDifference } from '../../declare/discovery/snapshot-module.js'
import type { ExitCode, Output } from './command.js'
import { type ImportedSnapshot, importedSnapshots } from './imported-snapshots.js'
import { reportStale } from './report-stale.js'
import { shownPath } from './shown-path.js'

interface CheckedSnapshot {
  readonly file: string
  readonly state: 'upToDate' | 'stale' | 'notCompared'
}

interface CheckedSnapshots {
  readonly code: ExitCode
  readonly result: readonly CheckedSnapshot[]
}

/** Compares the snapshots that a module imports with their directories. The code is 1 if one of them is stale. */
export async function checkSnapshots(module: string, output: Output): Promise<CheckedSnapshots> {
  const result: CheckedSnapshot[] = []
  for (const imported of await importedSnapshots(module)) {
    result.push({ file: shownPath(imported.file), state: await checkSnapshot(imported, output) })
  }
  return { code: result.some(({ state }) => state === 'stale') ? 1 : 0, result }
}

async function checkSnapshot(imported: ImportedSnapshot, output: Output): Promise<CheckedSnapshot['state']> {
  const { file, snapshot } = imported
  const name = shownPath(file)
  const directory = join(dirname(file), snapshot.directory)
  if (!isDirectory(directory)) {
    output.out(`The snapshot '${name}' is not compared: there is no directory '${shownPath(directory)}'.`)
    return 'notCompared'
  }
  const difference = snapshotDifference(snapshot, await declarationFiles(directory))
  if (difference === null) {
    output.out(`The snapshot '${name}' is up to date.`)
    return 'upToDate'
  }
  reportStale({ name, difference, remedy: remedyFor(imported) }, output)
  return 'stale'
}

function remedyFor({ file, snapshot }: ImportedSnapshot): string {
  const command = `run \`${snapshotCommand(snapshot)}\``
  return basename(file) === snapshot.output
    ? `${command} in '${shownPath(dirname(file))}'.`
    : `${command} in the folder of '${snapshot.output}', and compile it. Remove outdated files of earlier compilations.`
}
