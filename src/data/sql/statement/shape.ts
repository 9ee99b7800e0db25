import { invariant } from '../../../util/invariant.js'

/** Stands for a value while a statement is written: the text is the same whatever the value. */
export class Slot {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

/**
 * What one statement looks like, and the values that go into it, noted while the request's criteria are read. Two requests
 * of one key have one text, so that it is written once; values never are part of the key.
 */
export class Shape {
  readonly values: unknown[] = []
  #key = ''
  #isOpen = true

  /** Notes something that the text depends on. */
  note(part: string): void {
    invariant(this.#isOpen, 'the shape of a statement was changed after it was asked for')
    this.#key += `${part}\n`
  }

  /** Notes a value, and answers what stands for it in the text. */
  bind(value: unknown): Slot {
    return new Slot(this.values.push(value) - 1)
  }

  /** `null` for a statement that is written anew each time, since an author's code takes part in it. */
  get key(): string | null {
    this.#isOpen = false
    return this.#isCached ? this.#key : null
  }

  #isCached = true

  /** The text depends on more than is noted. */
  neverCache(): void {
    this.#isCached = false
  }
}
