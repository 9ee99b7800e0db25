/** A listener as it is called. Its result is checked at run time. */
export type AnyListener<Event> = (event: Event) => unknown

/**
 * The listeners of one event, in the order in which they were added. A change creates a new list, so that code that iterates over the old
 * one is not affected.
 */
export class ListenerList<Event> {
  #listeners: readonly AnyListener<Event>[] = Object.freeze([])

  get current(): readonly AnyListener<Event>[] {
    return this.#listeners
  }

  /** Returns a function that removes the listener. */
  add(listener: AnyListener<Event>): () => void {
    // A listener may be added twice, and is then removed once.
    const added: AnyListener<Event> = (event) => listener(event)
    this.#listeners = Object.freeze([...this.#listeners, added])
    return () => {
      this.#listeners = Object.freeze(this.#listeners.filter((other) => other !== added))
    }
  }
}
