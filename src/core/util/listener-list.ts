/** A listener as it is called. Its result is checked at run time. */
export type AnyListener<Event> = (event: Event) => unknown

/**
 * The listeners of one event, in the order in which they were added. A change creates a new list, so that code that iterates over the old
 * one is not affected.
 */
export class ListenerList<Event> {
  /** The listeners now. Only the methods of the list replace it. */
  current: readonly AnyListener<Event>[] = Object.freeze([])

  /** Returns a function that removes the listener. */
  add(listener: AnyListener<Event>): () => void {
    // A listener may be added twice, and is then removed once.
    const added: AnyListener<Event> = (event) => listener(event)
    this.current = Object.freeze([...this.current, added])
    return () => {
      this.current = Object.freeze(this.current.filter((other) => other !== added))
    }
  }
}
