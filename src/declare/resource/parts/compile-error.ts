/** A type that no value has. The compiler shows its sentence if a declaration uses something that is not available. */
export interface CompileError<Sentence extends string> {
  readonly [refusal]: Sentence
}

/** No value has this property, so that nothing is assignable to `Refusal`. */
declare const refusal: unique symbol

/**
 * The modifiers for text, on attribute kinds that are not text. Calling one is a compile error that names an
 * alternative. They are marked as deprecated so that editors strike them through in their suggestions. The interfaces below
 * do the same for the other modifiers.
 */
export interface NotText {
  /** @deprecated For text only. */
  readonly minLength: CompileError<'minLength() is for text: this attribute has no length.'>
  /** @deprecated For text only. */
  readonly maxLength: CompileError<'maxLength() is for text: this attribute has no length.'>
  /** @deprecated For text only. */
  readonly pattern: CompileError<'pattern() is for text: this attribute is not text.'>
  /** @deprecated For text only. */
  readonly email: CompileError<'email() is for text: declare the attribute with a.email().'>
  /** @deprecated For text only. */
  readonly url: CompileError<'url() is for text: declare the attribute with a.url().'>
  /** @deprecated For text only. */
  readonly uuid: CompileError<'uuid() is for text: declare the attribute with a.uuid().'>
  /** @deprecated For text only. */
  readonly slug: CompileError<'slug() is for text: declare the attribute with a.slug().'>
  /** @deprecated For text only. */
  readonly ip: CompileError<'ip() is for text: declare the attribute with a.ip().'>
}

export interface NotNumber {
  /** @deprecated For numbers only. */
  readonly min: CompileError<'min() is for numbers: text takes minLength(), a list minItems(), a date after().'>
  /** @deprecated For numbers only. */
  readonly max: CompileError<'max() is for numbers: text takes maxLength(), a list maxItems(), a date before().'>
  /** @deprecated For numbers only. */
  readonly exclusiveMin: CompileError<'exclusiveMin() is for numbers.'>
  /** @deprecated For numbers only. */
  readonly exclusiveMax: CompileError<'exclusiveMax() is for numbers.'>
  /** @deprecated For numbers only. */
  readonly multipleOf: CompileError<'multipleOf() is for numbers.'>
}

export interface NotMoment {
  /** @deprecated For dates and times only. */
  readonly before: CompileError<'before() is for dates and times: a number takes max().'>
  /** @deprecated For dates and times only. */
  readonly after: CompileError<'after() is for dates and times: a number takes min().'>
  /** @deprecated For dates and times only. */
  readonly between: CompileError<'between() is for dates and times: a number takes min() and max().'>
  /** @deprecated For dates and times only. */
  readonly format: CompileError<'format() is for dates and times: text takes pattern().'>
  /** @deprecated For dates and times only. */
  readonly useTimezone: CompileError<'useTimezone() is for dates and times.'>
}

export interface NotList {
  /** @deprecated For lists only. */
  readonly minItems: CompileError<'minItems() is for lists: declare the attribute with a.arrayList().'>
  /** @deprecated For lists only. */
  readonly maxItems: CompileError<'maxItems() is for lists: declare the attribute with a.arrayList().'>
  /** @deprecated For lists only. */
  readonly uniqueItems: CompileError<'uniqueItems() is for lists: declare the attribute with a.arrayList().'>
  /** @deprecated For lists only. */
  readonly each: CompileError<'each() is for lists: declare the attribute with a.arrayList().'>
  /** @deprecated For lists only. */
  readonly of: CompileError<'of() is for lists: declare the attribute with a.arrayList().'>
  /** @deprecated For lists only. */
  readonly sorted: CompileError<'sorted() is for lists: an open object takes sortKeys() or sortValues().'>
}

export interface NotProperties {
  /** @deprecated For open objects only. */
  readonly minProperties: CompileError<'minProperties() is for open objects: declare the attribute with a.arrayHash().'>
  /** @deprecated For open objects only. */
  readonly maxProperties: CompileError<'maxProperties() is for open objects: declare the attribute with a.arrayHash().'>
  /** @deprecated For open objects only. */
  readonly sortKeys: CompileError<'sortKeys() is for open objects: declare the attribute with a.arrayHash().'>
  /** @deprecated For open objects only. */
  readonly sortValues: CompileError<'sortValues() is for open objects: a list takes sorted().'>
}

export interface NotComposite {
  /** @deprecated For objects with declared keys only. */
  readonly fields: CompileError<'fields() is for objects with declared keys: declare the attribute with a.map() or a.object().'>
  /** @deprecated For a choice of objects only. */
  readonly variant: CompileError<'variant() is for a choice of objects: declare the attribute with a.oneOf().'>
}
