import { isPlainObject } from '../../../core/util/deep-freeze.js'
import { isAsyncFunction, isPlainFunction, synchronousRemedy } from './async-function.js'
import type { BuildFault } from './build-fault.js'
import type { BuildContext, TypeFault } from './build-rule.js'
import { settingFault } from './build-rule.js'
import { describeValue } from './describe-value.js'

/** What an option may be, and what to do if it is something else. */
export interface OptionShape {
  readonly holds: (value: unknown) => boolean
  readonly remedy: string
  /** Whether the option is a function that must not be async. */
  readonly isSynchronous?: true
}

/** The shape of each option by its name. A record of all keys of a type makes the compiler report missing entries. */
export type OptionShapes = Readonly<Record<string, OptionShape>>

export const flag: OptionShape = Object.freeze({
  holds: (value: unknown) => typeof value === 'boolean',
  remedy: 'give true or false',
})

/** Another rule checks the option. */
export const checkedElsewhere: OptionShape = Object.freeze({ holds: () => true, remedy: '' })

export function wholeNumber(least: 0 | 1, remedy: string = numberRemedies[least]): OptionShape {
  return { holds: (value) => isWhole(value, least), remedy }
}

const numberRemedies = { 0: 'give a whole number, 0 or more', 1: 'give a whole number above 0' } as const

export function isWhole(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least
}

/** A text that is not empty. */
export function nonEmptyText(remedy: string): OptionShape {
  return { holds: isNonEmptyText, remedy }
}

export function isNonEmptyText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

export function listOf(holds: OptionShape['holds'], remedy: string): OptionShape {
  return { holds: (value) => Array.isArray(value) && value.every(holds), remedy }
}

export function functionThat(remedy: string): OptionShape {
  return { holds: isPlainFunction, remedy, isSynchronous: true }
}

export function oneOfValues(values: readonly unknown[], remedy: string): OptionShape {
  return { holds: (value) => values.includes(value), remedy }
}

/** What is wrong with an option of another name. */
type UnknownOption = Pick<TypeFault, 'problem' | 'remedy'>

/** Returns the faults of options: those that have no shape, and those whose value has another one. An option may be left out. */
export function optionFaults(
  member: string,
  given: Readonly<Record<string, unknown>>,
  shapes: OptionShapes,
  unknown: UnknownOption,
): readonly TypeFault[] {
  return Object.entries(given).flatMap(([name, value]): readonly TypeFault[] => {
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined
    if (shape === undefined) return [{ member: `${member}.${name}`, ...unknown }]
    return value === undefined ? [] : shapeFaults(`${member}.${name}`, value, shape)
  })
}

/** Returns the fault of a value that does not have a shape. */
export function shapeFaults(member: string, value: unknown, shape: OptionShape): readonly TypeFault[] {
  if (shape.holds(value)) return []
  const isAsync = shape.isSynchronous === true && isAsyncFunction(value)
  return [{ member, problem: `is ${describeValue(value)}`, remedy: isAsync ? synchronousRemedy : shape.remedy }]
}

/** A setting that is an object of options. */
export interface OptionsSetting {
  /** What to give instead of something that is no object. */
  readonly remedy: string
  /** Returns whether the setting may be something else too. */
  readonly otherwise?: (value: unknown) => boolean
  readonly shapes: OptionShapes
  readonly unknown: UnknownOption
}

/** Returns the faults of a setting that is an object of options. It may be left out. */
export function settingFaults(
  member: string,
  value: unknown,
  { remedy, otherwise, shapes, unknown }: OptionsSetting,
): readonly BuildFault[] {
  if (value === undefined || otherwise?.(value) === true) return []
  if (!isPlainObject(value)) return [settingFault(member, `is ${describeValue(value)}`, remedy)]
  return optionFaults(member, value, shapes, unknown).map((fault) => ({ type: null, ...fault }))
}

/** Returns the faults of a setting that each server may have. That of the default server may stand in two places. */
export function faultsByServer(
  { settings }: Pick<BuildContext, 'settings'>,
  name: 'cors' | 'idempotency' | 'middleware',
  faultsOf: (member: string, value: unknown) => readonly BuildFault[],
): readonly BuildFault[] {
  const servers: unknown = settings.servers
  const named = Object.entries(isPlainObject(servers) ? servers : {}).map(([server, own]) => {
    return [`servers.${server}.${name}`, isPlainObject(own) ? own[name] : undefined] as const
  })
  const declared = [[name, settings[name] as unknown] as const, ...named].filter(([, value]) => value !== undefined)
  const other = `servers.default.${name}`
  const isTwice = declared.some(([member]) => member === name) && declared.some(([member]) => member === other)
  return [
    ...declared.flatMap(([member, value]) => faultsOf(member, value)),
    ...(isTwice ? [declaredTwice(name, other)] : []),
  ]
}

/** Returns the fault of a setting of the default server that also stands among the named servers. */
export function declaredTwice(member: string, other: string): BuildFault {
  const remedy = "leave one of them out: both are of the server 'default'"
  return settingFault(member, `is also declared as '${other}'`, remedy)
}
