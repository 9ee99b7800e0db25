import { basename, dirname, join } from 'node:path'
import { declarationFiles, isDirectory } from '../discovery/declaration-files.js'
import { snapshotCommand, snapshotDifference } from '../discovery/snapshot-module.js'
import type { ExitCode, Output } from './command.js'
import { type ImportedSnapshot, importedSnapshots } from './imported-snapshots.js'
import { reportStale } from './report-stale.js'
import { shownPath } from './shown-path.js'

/** Compares the snapshots that a module imports with their directories. Returns 1 if one of them is stale. */
export async function checkSnapshots(module: string, output: Output): Promise<ExitCode> {
  let code: ExitCode = 0
  for (const { file, snapshot } of await importedSnapshots(module)) {
    const name = shownPath(file)
    const directory = join(dirname(file), snapshot.directory)
    if (!isDirectory(directory)) {
      output.out(`The snapshot '${name}' is not compared: there is no directory '${shownPath(directory)}'.`)
      continue
    }
    const difference = snapshotDifference(snapshot, await declarationFiles(directory))
    if (difference === null) {
      output.out(`The snapshot '${name}' is up to date.`)
    } else {
      reportStale({ name, difference, remedy: remedyFor({ file, snapshot }) }, output)
      code = 1
    }
  }
  return code
}

function remedyFor({ file, snapshot }: ImportedSnapshot): string {
  const command = `run \`${snapshotCommand(snapshot)}\``
  return basename(file) === snapshot.output
    ? `${command} in '${shownPath(dirname(file))}'.`
    : `${command} in the folder of '${snapshot.output}', and compile it. Remove files that earlier compilations have left.`
}
