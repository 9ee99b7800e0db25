/**
 * A stored value that is not of the class that its column declares, such as text in a column of numbers. A cursor
 * contains it as it is stored, and the store compares it in that form.
 */
export class RawStored {
  readonly value: number | bigint | string | Uint8Array

  constructor(value: number | bigint | string | Uint8Array) {
    this.value = value
    Object.freeze(this)
  }
}
