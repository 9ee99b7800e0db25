import { join } from 'node:path'
import type { ChangedFile } from '../../pull/changed-files.js'
import { type DiffLine, diffLines } from '../../pull/merge/diff-text.js'
import { noteText } from '../../pull/plan/plan.js'
import type { Pulled } from '../../pull/pull.js'
import { recordName } from '../../pull/pull-record.js'
import type { Outcome, Output } from '../command.js'
import { counted } from '../counted.js'
import { paintFor } from '../paint.js'
import { shownPath } from '../shown-path.js'
import type { Project } from './project-files.js'

interface ReportOptions {
  /** The directory of the declarations. */
  readonly directory: string
  readonly isCheck: boolean
  /** The files around the sources, if the service is new. */
  readonly project: Project | null
}

/** Prints what a pull has changed, what it leaves out, and what an anonymous caller may do. */
export function reportPull(pull: Pulled, { directory, isCheck, project }: ReportOptions, output: Output): Outcome {
  const { types, files, notes, newNotes, anonymous } = pull
  const changed = files.filter(({ state }) => state !== 'unchanged' && state !== 'skipped')
  const conflicts = files.flatMap(({ path, conflicts: found }) =>
    found.map((conflict) => ({ file: path, ...conflict })),
  )
  const added = project === null ? [] : Object.keys(project.files).map((path) => shownPath(join(project.root, path)))
  for (const path of added) output.out(`${paintFor(output)('green', 'added')}    ${path}`)
  for (const file of files) printFile(file, directory, output)
  printNotes(newNotes, output)
  const same = notes.length - newNotes.length
  if (same > 0)
    output.out(`${counted(same, 'note')} as in the last pull: see ${shownPath(join(directory, recordName))}.`)
  for (const { file, path, pulled } of conflicts) {
    const now = pulled === null ? 'the pull leaves it out.' : `the pull has ${pulled.trim()}`
    output.err(`${shownPath(join(directory, file))}: both sides have changed ${path.join(' > ')}. Yours stays; ${now}`)
  }
  const verb = isCheck ? 'would change' : 'changed'
  output.out(`${counted(types.length, 'type')}, ${counted(changed.length + added.length, 'file')} ${verb}.`)
  if (project !== null) printNext(project, output)
  const server = shownPath(join(directory, '../server.ts'))
  for (const line of accessLines(anonymous, server)) output.out(line)
  const code = conflicts.length > 0 || (isCheck && changed.length > 0) ? 1 : 0
  return { code, result: { types, files: files.map(fileResult), notes, added, next: project?.next ?? [], anonymous } }
}

function printFile(file: ChangedFile, directory: string, output: Output): void {
  const paint = paintFor(output)
  const name = shownPath(join(directory, file.path))
  switch (file.state) {
    case 'unchanged':
      return
    case 'skipped':
      output.out(`${paint('yellow', 'skipped')}  ${name}: ${file.reason}`)
      return
    case 'added':
      output.out(`${paint('green', 'added')}    ${name}`)
      return
    case 'removed':
      output.out(`${paint('red', 'removed')}  ${name}`)
      return
    case 'changed':
      output.out(`${paint('bold', 'changed')}  ${name}`)
      for (const line of diffLines(file.before ?? '', file.after ?? '')) output.out(`  ${painted(line, output)}`)
  }
}

function painted({ sign, text }: DiffLine, output: Output): string {
  const line = `${sign} ${text}`
  return sign === ' ' ? line : paintFor(output)(sign === '+' ? 'green' : 'red', line)
}

function printNotes(notes: Pulled['notes'], output: Output): void {
  const groups = [
    ['Left out, because they look like secrets:', notes.filter(({ kind }) => kind === 'secret')],
    ['Relations without a foreign key, by the names of columns:', notes.filter(({ kind }) => kind === 'byName')],
    ['Not served:', notes.filter(({ kind }) => kind === 'notServed')],
    ['Served, but:', notes.filter(({ kind }) => kind === 'note')],
  ] as const
  for (const [title, group] of groups) {
    if (group.length === 0) continue
    output.out(paintFor(output)('bold', title))
    for (const note of group) output.out(`  ${noteText(note)}`)
  }
}

function printNext({ remarks, next }: Project, output: Output): void {
  for (const remark of remarks) output.out(remark)
  output.out([paintFor(output)('bold', 'Next:'), ...next.map((line) => `  ${line}`)].join('\n'))
}

/** Returns sentences about what an anonymous caller may read and write. */
function accessLines({ read, write, unknown }: Pulled['anonymous'], server: string): readonly string[] {
  const known = `An anonymous caller may read ${listed(read)} and write ${listed(write)}`
  if (unknown.length === 0)
    return [`${known}: policy of ${server}${read.length + write.length === 0 ? '' : ' and of the types'}.`]
  const rest = `The files do not show what an anonymous caller may do with ${listed(unknown)}: see ashlar can --help.`
  return read.length + write.length === 0 ? [rest] : [`${known}.`, rest]
}

const mostListed = 10

function listed(types: readonly string[]): string {
  if (types.length === 0) return 'nothing'
  return types.length > mostListed ? counted(types.length, 'type') : types.join(', ')
}

function fileResult({ path, state, reason, conflicts, before, after }: ChangedFile) {
  const diff = diffLines(before ?? '', after ?? '').map(({ sign, text }) => `${sign}${text}`)
  return { path, state, reason, conflicts, diff }
}
