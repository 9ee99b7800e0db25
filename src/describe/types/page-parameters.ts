import type { EstimatedCount, PageKeys, PageMenu, PageStrategy, Paginator } from '../../declare/pagination/paginator.js'

/** The parameters that each strategy reads. */
interface StrategyParameters {
  readonly page: 'number' | 'size'
  readonly fixed: 'number'
  readonly offset: 'offset' | 'limit'
  readonly cursor: 'size' | 'after' | 'before'
}

/** The `page` parameters of a paginator, `Default` if there is none; `null` if nothing is paginated. */
export type PageOf<P, Default> = [P] extends [undefined]
  ? Default
  : P extends PageMenu<infer Choices, infer Kind>
    ? ChoiceOf<Choices[number], DefaultKind<Choices, Kind>>
    : P extends Paginator<infer Strategy, string, infer Keys, infer Estimate>
      ? Parameters<Strategy, Keys, Estimate>
      : P extends null
        ? null
        : never

type Parameters<Strategy extends PageStrategy, Keys, Estimate> = {
  [Name in StrategyParameters[Strategy] | CountOf<Estimate> as KeyOf<Keys, Name>]?:
    | (Name extends 'after' | 'before' ? string : Name extends 'count' ? 'estimate' : number)
    | undefined
}

type CountOf<Estimate> = Estimate extends EstimatedCount ? 'count' : never

type KeyOf<Keys, Name extends keyof PageKeys> = Keys extends { readonly [Each in Name]: infer Key extends string }
  ? Key
  : Name

/** Every choice of a menu except the default one has to be selected by its kind. */
type ChoiceOf<Choice extends Paginator, Default> =
  Choice extends Paginator<infer Strategy, infer Kind, infer Keys, infer Estimate>
    ? Merged<(Kind extends Default ? { kind?: Kind } : { kind: Kind }) & Parameters<Strategy, Keys, Estimate>>
    : never

type DefaultKind<Choices extends readonly Paginator[], Kind> = Kind extends string ? Kind : Choices[0]['kind']

type Merged<T> = { [Name in keyof T]: T[Name] }
