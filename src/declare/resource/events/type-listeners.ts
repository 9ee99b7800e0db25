import type { ResourceHooks } from './hooks.js'
import type { AnyListener } from '../../../core/util/listener-list.js'
import { ListenerList } from '../../../core/util/listener-list.js'
import type { Listener, TypeEventName, TypeEvents } from './type-events.js'

/** The listeners of the events of one type on one server. The hooks of the type are the first of them. */
export class TypeListeners {
  readonly #lists = new Map<TypeEventName, ListenerList<unknown>>()
  /** How often listeners were added or removed: results that depend on them are valid until it changes. Only `add()` changes it. */
  changes = 0
  /** Whether no event has a listener, as on most types. */
  isEmpty = true

  constructor(hooks: ResourceHooks | null) {
    if (hooks === null) return
    for (const [name, listener] of hookListeners(hooks)) this.add(name, listener)
  }

  of<Name extends TypeEventName>(name: Name): readonly AnyListener<TypeEvents[Name]>[] {
    return this.#lists.get(name)?.current ?? none
  }

  has(name: TypeEventName): boolean {
    const list = this.#lists.get(name)
    return list !== undefined && list.current.length > 0
  }

  /** Whether there are listeners after a create or an update. */
  hasAfter(mode: 'create' | 'update'): boolean {
    return !this.isEmpty && (this.has(mode === 'create' ? 'AfterCreate' : 'AfterUpdate') || this.has('AfterSave'))
  }

  add<Name extends TypeEventName>(name: Name, listener: AnyListener<TypeEvents[Name]>): () => void {
    const list = this.#lists.get(name) ?? new ListenerList<unknown>()
    this.#lists.set(name, list)
    const remove = list.add(listener as AnyListener<unknown>)
    this.#changed()
    return () => {
      remove()
      this.#changed()
    }
  }

  #changed(): void {
    this.changes += 1
    this.isEmpty = [...this.#lists.values()].every(({ current }) => current.length === 0)
  }
}

const none: readonly AnyListener<unknown>[] = Object.freeze([])

/** The event of each hook. */
export const eventOfHook: Readonly<Record<keyof ResourceHooks, TypeEventName>> = Object.freeze({
  beforeSave: 'BeforeSave',
  beforeCreate: 'BeforeCreate',
  beforeUpdate: 'BeforeUpdate',
  beforeDelete: 'BeforeDelete',
  beforeRelationshipMutate: 'BeforeRelationshipMutate',
  afterCreate: 'AfterCreate',
  afterUpdate: 'AfterUpdate',
  afterSave: 'AfterSave',
  afterDelete: 'AfterDelete',
  afterRelationshipMutate: 'AfterRelationshipMutate',
  afterFetchOne: 'AfterFetchOne',
  afterFetchCollection: 'AfterFetchCollection',
})

type Listeners = { readonly [Name in TypeEventName]?: Listener<Name> | undefined }

/** Hooks get the members of an event as arguments. */
function hookListeners(hooks: ResourceHooks): readonly (readonly [TypeEventName, AnyListener<unknown>])[] {
  const all: Listeners = {
    BeforeSave: ({ draft, creating, context }) => hooks.beforeSave?.(draft, creating, context),
    BeforeCreate: ({ draft, context }) => hooks.beforeCreate?.(draft, context),
    BeforeUpdate: ({ draft, original, context }) => hooks.beforeUpdate?.(draft, original, context),
    BeforeDelete: ({ row, context }) => hooks.beforeDelete?.(row, context),
    BeforeRelationshipMutate: ({ parent, context }) => hooks.beforeRelationshipMutate?.(parent, context),
    AfterCreate: ({ row, context }) => hooks.afterCreate?.(row, context),
    AfterUpdate: ({ row, context }) => hooks.afterUpdate?.(row, context),
    AfterSave: ({ row, creating, context }) => hooks.afterSave?.(row, creating, context),
    AfterDelete: ({ row, context }) => hooks.afterDelete?.(row, context),
    AfterRelationshipMutate: ({ parent, context }) => hooks.afterRelationshipMutate?.(parent, context),
    AfterFetchOne: ({ row, context }) => hooks.afterFetchOne?.(row, context),
    AfterFetchCollection: ({ rows, context }) => hooks.afterFetchCollection?.(rows, context),
  }
  const declared = (Object.keys(eventOfHook) as (keyof ResourceHooks)[]).filter((hook) => hooks[hook] !== undefined)
  return declared.map((hook) => [eventOfHook[hook], all[eventOfHook[hook]] as AnyListener<unknown>])
}
