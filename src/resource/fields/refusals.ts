/** Shown by the compiler where somebody calls what is not there. */
export interface Refusal<Sentence extends string> {
  readonly refusal: Sentence
}

/**
 * Modifiers on kinds that they do not fit, as sentences: calling one is a compile error that says what to do. They are
 * marked deprecated so that editors strike them out of their suggestions.
 */
export interface NotText {
  /** @deprecated For text only. */
  readonly minLength: Refusal<'minLength() is for text: this attribute has no length.'>
  /** @deprecated For text only. */
  readonly maxLength: Refusal<'maxLength() is for text: this attribute has no length.'>
  /** @deprecated For text only. */
  readonly pattern: Refusal<'pattern() is for text: this attribute is none.'>
}

export interface NotNumber {
  /** @deprecated For numbers only. */
  readonly min: Refusal<'min() is for numbers: text takes minLength(), a list minItems(), a date after().'>
  /** @deprecated For numbers only. */
  readonly max: Refusal<'max() is for numbers: text takes maxLength(), a list maxItems(), a date before().'>
  /** @deprecated For numbers only. */
  readonly exclusiveMin: Refusal<'exclusiveMin() is for numbers.'>
  /** @deprecated For numbers only. */
  readonly exclusiveMax: Refusal<'exclusiveMax() is for numbers.'>
  /** @deprecated For numbers only. */
  readonly multipleOf: Refusal<'multipleOf() is for numbers.'>
}

export interface NotMoment {
  /** @deprecated For dates and times only. */
  readonly before: Refusal<'before() is for dates and times: a number takes max().'>
  /** @deprecated For dates and times only. */
  readonly after: Refusal<'after() is for dates and times: a number takes min().'>
  /** @deprecated For dates and times only. */
  readonly between: Refusal<'between() is for dates and times: a number takes min() and max().'>
  /** @deprecated For dates and times only. */
  readonly format: Refusal<'format() is for dates and times: text takes pattern().'>
}

export interface NotList {
  /** @deprecated For lists only. */
  readonly minItems: Refusal<'minItems() is for lists: declare the attribute with a.arrayList().'>
  /** @deprecated For lists only. */
  readonly maxItems: Refusal<'maxItems() is for lists: declare the attribute with a.arrayList().'>
  /** @deprecated For lists only. */
  readonly uniqueItems: Refusal<'uniqueItems() is for lists: declare the attribute with a.arrayList().'>
  /** @deprecated For lists only. */
  readonly each: Refusal<'each() is for lists: declare the attribute with a.arrayList().'>
}

export interface NotProperties {
  /** @deprecated For open objects only. */
  readonly minProperties: Refusal<'minProperties() is for open objects: declare the attribute with a.arrayHash().'>
  /** @deprecated For open objects only. */
  readonly maxProperties: Refusal<'maxProperties() is for open objects: declare the attribute with a.arrayHash().'>
}
