import type { ActionDeclaration } from './action-kit.js'
import type { AggregateDeclaration } from './aggregate-kit.js'
import type { IdDeclaration, IdFlag, idState } from '../fields/id-declaration.js'
import type { NamedFilters } from '../filters/filter-types.js'
import type { DocumentSettings, ResourceMetadata } from './resource-settings.js'
import type { SoftDeletes } from '../parts/soft-deletes.js'

/** The names of the settings of a type that clients depend on. */
type SettingName =
  | 'actions'
  | 'countable'
  | 'create'
  | 'delete'
  | 'export'
  | 'fetchOne'
  | 'id'
  | 'linkage'
  | 'operations'
  | 'pagination'
  | 'readOnly'
  | 'serializer'
  | 'server'
  | 'softDeletes'
  | 'update'
  | 'upsertBy'
  | 'uriType'

/**
 * Lets the compiler infer the literal types of the settings that clients depend on, and of no others: a setting that is misspelt
 * remains unknown.
 */
export type GivenSettings<Settings> = { readonly [Name in keyof Settings & SettingName]?: Settings[Name] }

/** The settings that clients depend on, of types with rows of type `R`. */
export interface ClientSettings<R>
  extends Pick<ResourceMetadata, SettingName & keyof ResourceMetadata>,
    Pick<DocumentSettings<R, string, string, string>, SettingName & keyof DocumentSettings<R, string, string, string>> {
  readonly id?: IdDeclaration
  readonly softDeletes?: SoftDeletes<R>
}

export type NoSettings = Readonly<Record<never, never>>

/** The settings of a type that is changed together with others: the compiler does not know on which servers it is. */
export interface SharedSettings {
  readonly server: unknown
}

/**
 * The settings that clients depend on. Functions and rows are omitted, so that an application that emits declarations need not name
 * their types. The type is that of a member, because these declarations then show the result instead of all settings.
 */
export interface PickedSettings<Settings> {
  readonly picked: {
    readonly [Name in Exclude<keyof Settings & SettingName, 'actions' | 'id'>]: PickedSetting<Name, Settings[Name]>
  }
}

/** Of a serializer, clients depend on its members; `true` if the compiler does not know them. */
type PickedSetting<Name, Given> = Name extends 'serializer'
  ? Given extends { readonly members: infer Members }
    ? Members
    : true
  : Name extends 'export'
    ? ExportSetting<Given>
    : Name extends 'pagination'
      ? Given extends (...given: never[]) => infer Paginator
        ? Paginator
        : Given
      : Name extends 'softDeletes'
        ? Given extends object
          ? { readonly [Option in keyof Given & SoftDeleteOption]: Given[Option] }
          : Given
        : Given

/** Of an export, clients depend on its formats. */
type ExportSetting<Given> = Given extends { readonly formats: infer Formats }
  ? { readonly formats: Formats }
  : Given extends object
    ? true
    : Given

type SoftDeleteOption = 'restore' | 'forceDelete' | 'restorePath' | 'forcePath'

/** The modifiers of the declared id that clients depend on. */
export type IdFlagsOf<Declared> = Declared extends { readonly [idState]: infer F extends IdFlag } ? F : never

/**
 * The parts of a type that clients depend on, besides its fields: the modifiers of its id, its filters, the keys of its sorts, its actions and
 * some of its settings. See {@link defineResource}.
 */
export interface TypeFacts<
  Origin extends 'resource' | 'capabilities',
  Id extends IdFlag,
  Filters extends NamedFilters,
  Sort extends string,
  Actions extends Readonly<Record<string, ActionDeclaration>>,
  Settings,
  Aggregates extends Readonly<Record<string, AggregateDeclaration>> = NoSettings,
> {
  readonly origin: Origin
  readonly id: Id
  readonly filters: Filters
  readonly sorts: Sort
  readonly actions: Actions
  readonly settings: Settings
  readonly aggregates: Aggregates
}

/** The facts of any type. See {@link Resource}. */
export type AnyFacts = TypeFacts<
  'resource' | 'capabilities',
  IdFlag,
  NamedFilters,
  string,
  Readonly<Record<string, ActionDeclaration>>,
  unknown,
  Readonly<Record<string, AggregateDeclaration>>
>

/** The settings of a type after some of them were changed. See {@link PickedSettings}. */
export interface ChangedSettings<Declared, Changed> {
  readonly settings: {
    readonly [Name in
      | keyof Declared
      | Exclude<keyof Changed & SettingName, 'actions' | 'id'>]: Name extends keyof Changed
      ? PickedSetting<Name, Changed[Name]>
      : Declared[Name & keyof Declared]
  }
}

/** The actions of a type after some of its settings were changed: `null` removes them. */
export interface ChangedActions<Declared, Changed> {
  readonly actions: 'actions' extends keyof Changed ? NoSettings : Declared
}
