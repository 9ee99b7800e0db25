import type { Plan } from '../plan/plan.js'
import { joinText, typeText } from './declaration-text.js'

/** Texts by file, relative to the directory of the declarations. */
export type PulledFiles = ReadonlyMap<string, string>

/** Returns the declaration files of a plan: one for each table. */
export function declarationFilesOf({ types, joins }: Plan): PulledFiles {
  const files = [
    ...types.map((planned): [string, string] => [`${planned.file}.ts`, typeText(planned)]),
    ...joins.map((planned): [string, string] => [`${planned.file}.ts`, joinText(planned)]),
  ]
  return new Map(files.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
